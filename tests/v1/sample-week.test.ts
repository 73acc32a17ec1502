import { expect } from 'vitest'
import { dayMs, isoDay } from '#server/api/contract/dates.ts'
import { describeSampleWeek } from '#server/api/contract/sample-week.ts'
import { applySampleDay } from '#server/market/sample-week/move-sample.ts'
import { verifies } from '../requirements/verifies.ts'
import { onEachMount } from './support/fixture.ts'

type Item = { readonly sourceKey: string; readonly rate: string; readonly withdrawnAt: string | null }

onEachMount(
  (fixture) => {
    const move = (day: number) => applySampleDay(fixture.pool, isoDay(Date.parse('2026-11-30') + day * dayMs), { info: () => {} })

    verifies(['keys/sample-moves-daily', 'keys/sample-moves-everywhere'], 'shows the changes of each day in lists, changes and history', async () => {
      const { key, account } = await fixture.test({ credits: 7 })
      await fixture.sql('UPDATE key_meter SET own_minute_limit = 1000000')
      const read = async (path: string) => {
        const { status, body, text } = await fixture.get(path, key)
        expect(status, text).toBe(200)
        return body
      }
      await move(-1)
      for (const [day, { added, withdrawn, changed, offers }] of describeSampleWeek().entries()) {
        const before = await read('/rates?limit=50')
        const offersBefore = await read('/switch-offers?limit=50')
        const historyBefore = new Set((await read('/history?limit=50')).data.map(({ id }: { id: string }) => id))
        await move(day)
        const { data, meta } = await read(`/rates?updatedSince=${before.meta.updatedUntil}&withdrawn=include&limit=50`)
        const rows = data as Item[]
        expect(rows.map(({ sourceKey }) => sourceKey).sort()).toEqual([added, withdrawn, ...changed].sort())
        expect(rows.filter(({ withdrawnAt }) => withdrawnAt !== null).map(({ sourceKey }) => sourceKey)).toEqual([withdrawn])
        // A copy that applies these changes equals the list.
        const copy = new Map((before.data as Item[]).map(({ sourceKey, rate }) => [sourceKey, rate]))
        for (const { sourceKey, rate, withdrawnAt } of rows) {
          if (withdrawnAt === null) copy.set(sourceKey, rate)
          else copy.delete(sourceKey)
        }
        const now = await read('/rates?limit=50')
        expect(new Map((now.data as Item[]).map(({ sourceKey, rate }) => [sourceKey, rate]))).toEqual(copy)
        expect(meta.updatedUntil > before.meta.updatedUntil).toBe(true)
        const changedOffers = await read(`/switch-offers?updatedSince=${offersBefore.meta.updatedUntil}&limit=50`)
        expect(changedOffers.data).toHaveLength(offers.length)
        const history = (await read('/history?limit=50')).data.filter(({ id }: { id: string }) => !historyBefore.has(id)) as (Item & { direction: string })[]
        expect(
          history.map(({ sourceKey, direction }) => [sourceKey, direction === 'launched' || direction === 'withdrawn' ? direction : 'changed']).sort(),
        ).toEqual([[added, 'launched'], [withdrawn, 'withdrawn'], ...changed.map((name) => [name, 'changed'])].sort())
        expect((await read(`/rates/${added}`)).data.sourceKey).toBe(added)
        expect((await fixture.get(`/rates/${withdrawn}`, key)).status).toBe(404)
      }
      expect(await fixture.balance(account)).toBe(7)
    })

    verifies('keys/sample-moves-everywhere', 'changes nothing for live keys', async () => {
      const { key } = await fixture.live({ credits: 1_000 })
      const paths = ['/rates?limit=50', '/history?limit=50', '/switch-offers?limit=50']
      const read = () => Promise.all(paths.map(async (path) => (await fixture.get(path, key)).headers.get('etag')))
      await move(0)
      const before = await read()
      await move(1)
      expect(await read()).toEqual(before)
    })
  },
  { env: { ROLES: 'gateway,portal' } },
)

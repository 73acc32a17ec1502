import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { storeDaysAgo } from './support/daily-files.ts'
import { expectError } from './support/expect-error.ts'
import { onEachMount } from './support/fixture.ts'
import { list, listAll, plenty } from './support/history.ts'

onEachMount((fixture) => {
  const own = (name: string) => `as-of-${fixture.mount}-${name}`

  verifies('rates/as-of', async () => {
    const { key } = await fixture.live(plenty)
    await list(fixture, own('a'), '5.11')
    await list(fixture, own('c'), '5.12')
    const read = async (path: string) => (await fixture.get(path, key)).body
    const query = `/rates?sourceKey=${own('a')},${own('b')},${own('c')}`
    const before = await read(query)
    const provider = `/providers/${before.data[0].providerSlug}`
    const providerBefore = await read(provider)
    const day = await storeDaysAgo(fixture, 20)
    await list(fixture, own('a'), '1.00')
    await list(fixture, own('b'), '1.10')
    await fixture.sql(`UPDATE product SET withdrawn_at = now(), updated_at = now() WHERE dataset = 'live' AND source_key = $1`, [own('c')])
    await fixture.sql('UPDATE service_state SET version = version + 1, market_version = market_version + 1')
    const past = await read(`${query}&asOf=${day}`)
    expect(past.data).toEqual(before.data)
    expect(past.meta).toMatchObject({ creditsCharged: 2, updatedUntil: before.meta.updatedUntil })
    expect((await read(`${provider}?asOf=${day}`)).data).toEqual(providerBefore.data)
    expect((await read(query)).data.map(({ sourceKey, rate }: { sourceKey: string; rate: string }) => [sourceKey, rate])).toEqual([
      [own('b'), '1.10'],
      [own('a'), '1.00'],
    ])
    // updatedUntil of that day, passed as updatedSince, returns all later changes.
    const changes = await read(`/rates?q=as%20of%20${fixture.mount}&updatedSince=${past.meta.updatedUntil}`)
    expect(changes.data.map(({ sourceKey }: { sourceKey: string }) => sourceKey)).toEqual([own('b'), own('a')])
  })

  verifies('rates/as-of-cursors', async () => {
    for (let n = 0; n < 7; n++) await list(fixture, own(`p${n}`), `6.${10 + n}`)
    const caller = await fixture.live(plenty)
    const query = `/rates?q=as%20of%20${fixture.mount}&minRate=6`
    const before = await listAll(fixture, caller, query)
    const day = await storeDaysAgo(fixture, 21)
    const past = await listAll(fixture, caller, `${query}&asOf=${day}`, 2, async (page) => {
      await list(fixture, own(`p${page}`), '7.00')
      await list(fixture, own(`n${page}`), '6.12')
    })
    expect(past).toEqual(before)
    const { body } = await fixture.get(`/rates?asOf=${day}&limit=1`, caller.key)
    expectError(await fixture.get(`/rates?limit=1&cursor=${body.meta.nextCursor}`, caller.key), 400, 'invalid_request')
    const { status } = await fixture.get(`/rates?asOf=${day}&limit=1&cursor=${body.meta.nextCursor}`, caller.key)
    expect(status).toBe(200)
  })

  verifies('rates/as-of-enterprise', async () => {
    const [day] = [await storeDaysAgo(fixture, 22), await storeDaysAgo(fixture, 22, 'sample')]
    for (const plan of ['hobby', 'business'] as const) {
      const { key, account } = await fixture.live({ plan })
      for (const path of ['/rates', `/providers/${(await fixture.get('/reference/providers', key)).body.data[0].slug}`]) {
        const balance = await fixture.balance(account)
        const answer = await fixture.get(`${path}?asOf=${day}`, key)
        expectError(answer, 403, 'plan_upgrade_required', { requiredPlan: 'enterprise' })
        expect(answer.body.message).toContain('"asOf" needs the Enterprise plan.')
        expect(await fixture.balance(account)).toBe(balance)
      }
    }
    const { key } = await fixture.test({ plan: 'hobby' })
    const { status, body } = await fixture.get(`/rates?asOf=${day}&limit=2`, key)
    expect([status, body.meta.sample, body.data.length]).toEqual([200, true, 2])
  })

  verifies('rates/as-of-days', async () => {
    const day = await storeDaysAgo(fixture, 23)
    const { key, account } = await fixture.live()
    const old = await fixture.get('/rates?asOf=2020-02-29', key)
    expectError(old, 404, 'not_found')
    expect(old.body.message).toMatch(
      /^No snapshot is stored for 2020-02-29\. Days from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d are stored; \/snapshots lists them\.$/,
    )
    for (const query of ['asOf=yesterday', 'asOf=2026-02-30', `asOf=${day}&updatedSince=2026-01-01T00:00:00Z`]) {
      const answer = await fixture.get(`/rates?${query}`, key)
      expectError(answer, 400, 'invalid_request')
      expect(answer.body.message).toContain('"asOf"')
    }
    expect(await fixture.balance(account)).toBe(100)
  })
})

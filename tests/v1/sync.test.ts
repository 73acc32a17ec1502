import { expect } from 'vitest'
import { importFeed } from '#server/market/import/import-feed.ts'
import { ndjson, switchOffer } from '../market/feeds.ts'
import { verifies } from '../requirements/verifies.ts'
import { type Fixture, onEachMount } from './support/fixture.ts'
import { list, plenty, productFeed } from './support/history.ts'
import { marketChanged } from './support/operator.ts'

type Item = { readonly updatedAt: string; readonly withdrawnAt: string | null; readonly [field: string]: unknown }

/** Reads a list page by page, and runs `between` after each page except the last. Checks that all pages have the same `updatedUntil`. */
async function readAll(fixture: Fixture, key: string, path: string, limit = 50, between: (page: number) => Promise<void> = async () => {}) {
  const rows: Item[] = []
  const times = new Set<string>()
  for (let page = 1, cursor: string | null = ''; cursor !== null; page++) {
    const { status, text, body } = await fixture.get(`${path}&limit=${limit}${cursor && `&cursor=${cursor}`}`, key)
    expect(status, text).toBe(200)
    rows.push(...body.data)
    times.add(body.meta.updatedUntil)
    cursor = body.meta.nextCursor
    if (cursor !== null) await between(page)
  }
  expect([...times]).toEqual([expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)])
  return { rows, updatedUntil: [...times][0] ?? '' }
}

/** Imports an offer with a bonus. */
const listOffer = (fixture: Fixture, offerKey: string, bonusAmount: string) =>
  importFeed(fixture.pool, {
    source: ndjson(switchOffer(offerKey, { bonusAmount, providerSlug: null })),
    fileName: 'offers.ndjson',
    dataset: 'live',
    partial: true,
  })

onEachMount((fixture) => {
  const own = (name: string) => `sync-${fixture.mount}-${name}`
  const getStoredTime = async (sourceKey: string): Promise<string> => {
    const [row] = await fixture.sql<{ at: Date }>(`SELECT updated_at AS at FROM product WHERE dataset = 'live' AND source_key = $1`, [sourceKey])
    return row?.at.toISOString() ?? ''
  }
  const withdraw = async (sourceKey: string) => {
    await fixture.sql(`UPDATE product SET withdrawn_at = now(), updated_at = now() WHERE dataset = 'live' AND source_key = $1`, [sourceKey])
    await marketChanged(fixture)
  }

  verifies('rates/updated-until', async () => {
    const names = Array.from({ length: 12 }, (_, index) => own(`a${String(index).padStart(2, '0')}`))
    for (const [index, name] of names.entries()) await list(fixture, name, `3.${10 + index}`)
    const { key } = await fixture.live(plenty)
    const query = `/rates?q=sync%20${fixture.mount}`
    const changes = [
      () => list(fixture, names[11] ?? '', '1.01'),
      () => withdraw(names[10] ?? ''),
      () => list(fixture, names[0] ?? '', '4.00'),
      () => list(fixture, own('added'), '9.00'),
    ]
    const copy = new Map<unknown, unknown>()
    const last = await getStoredTime(names[11] ?? '')
    const first = await readAll(fixture, key, query, 2, async (page) => await changes[page - 1]?.())
    expect(first.updatedUntil).toBe(last)
    for (const { sourceKey, rate } of first.rows) copy.set(sourceKey, rate)
    const update = await readAll(fixture, key, `${query}&updatedSince=${first.updatedUntil}&withdrawn=include`)
    for (const { sourceKey, rate, withdrawnAt } of update.rows) {
      if (withdrawnAt === null) copy.set(sourceKey, rate)
      else copy.delete(sourceKey)
    }
    const { rows: listed } = await readAll(fixture, key, query)
    expect(new Set(listed.map(({ sourceKey, rate }) => `${sourceKey} ${rate}`))).toEqual(new Set([...copy].map(([sourceKey, rate]) => `${sourceKey} ${rate}`)))
    expect(copy.get(own('added'))).toBe('9.00')
    expect((await fixture.get(`${query}&updatedSince=${update.updatedUntil}&withdrawn=include`, key)).body.data).toEqual([])
  })

  verifies('rates/updated-until', 'returns the changes of an import that was running during the read', async () => {
    const [seen, late] = [own('seen'), own('late')]
    await list(fixture, late, '2.00')
    await list(fixture, seen, '2.00')
    const { key } = await fixture.live(plenty)
    let since = ''
    // At this point, the import has its timestamp and has written its rows, but has not committed.
    await importFeed(fixture.pool, await productFeed(fixture, late, '2.50'), async () => {
      since = (await readAll(fixture, key, `/rates?q=sync%20${fixture.mount}`)).updatedUntil
    })
    expect(since < (await getStoredTime(late))).toBe(true)
    const { rows } = await readAll(fixture, key, `/rates?q=sync%20${fixture.mount}&updatedSince=${since}`)
    expect(rows.map(({ sourceKey, rate }) => [sourceKey, rate])).toEqual([[late, '2.50']])
  })

  verifies('rates/updated-until', 'returns updatedUntil in every response of a sorted list, and in responses to test keys', async () => {
    const { key } = await fixture.live(plenty)
    for (const sort of ['rate', 'provider', 'updatedAt', '-updatedAt', 'minBalance', '-minBalance'])
      await readAll(fixture, key, `/rates?type=lifetime-isa&sort=${sort}`, 20)
    const { body } = await fixture.get('/rates?limit=1', (await fixture.test()).key)
    expect(body.meta.updatedUntil).toMatch(/Z$/)
    const [asJson, asCsv] = [await fixture.get('/providers?limit=1', key), await fixture.get('/providers?limit=1', key, { accept: 'text/csv' })]
    expect(asCsv.headers.get('x-svc-updated-until')).toBe(asJson.body.meta.updatedUntil)
  })

  verifies('offers/updated-until', async () => {
    const { key } = await fixture.live(plenty)
    await listOffer(fixture, own('offer'), '100.00')
    try {
      const offers = await readAll(fixture, key, '/switch-offers?fields=offerKey,updatedAt', 5, async (page) => {
        if (page === 1) await listOffer(fixture, own('offer'), '120.00')
      })
      const changed = await readAll(fixture, key, `/switch-offers?updatedSince=${offers.updatedUntil}&withdrawn=include`)
      expect(changed.rows).toMatchObject([{ offerKey: own('offer'), bonusAmount: '120.00' }])
    } finally {
      await fixture.sql(`DELETE FROM switch_offer WHERE offer_key = $1`, [own('offer')])
      await marketChanged(fixture)
    }
    const providers = await readAll(fixture, key, '/providers?fields=slug,updatedAt', 20)
    expect((await readAll(fixture, key, `/providers?updatedSince=${providers.updatedUntil}&withdrawn=include`)).rows).toEqual([])
  })
})

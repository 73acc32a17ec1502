import { afterEach, expect, test } from 'vitest'
import { toChanges } from '#server/api/endpoints/changes.ts'
import { listSwitchOffers } from '#server/api/endpoints/offers/list-switch-offers.endpoint.ts'
import { clock } from '#server/clock.ts'
import { importFeed } from '#server/market/import/import-feed.ts'
import { MarketView } from '#server/market/market-view.ts'
import { loadSnapshot } from '#server/market/snapshot.ts'
import { type Line, ndjson, product, provider } from './feeds.ts'
import { marketDatabase } from './market-database.ts'
import { getContext } from './read-endpoint.ts'

const market = marketDatabase()

const realNow = clock.now

afterEach(() => {
  clock.now = realNow
})

const save = (line: Line) => importFeed(market.pool, { source: ndjson(line), fileName: 'feed.ndjson', dataset: 'live', partial: true })

const take = (rate: string) => save(product('a', { rate, baseRate: rate, boostRate: undefined, boostDuration: undefined }))

const getView = async () => (await loadSnapshot(market.pool)).dataset('live')

/** Returns the time of the newest change and the `updatedAt` of the product. */
async function readTimes() {
  const view = await getView()
  return { changedAt: view.changedAt, updatedAt: view.product('a')?.product.updatedAt }
}

test('the time of the newest change is the time of the last import that changed something', async () => {
  expect((await getView()).changedAt).toBeNull()
  await save(provider('harrow'))
  await take('3.00')
  const first = await readTimes()
  expect(first.changedAt).toBe(first.updatedAt)
  await take('3.00')
  expect(await readTimes()).toEqual(first)
  await take('3.10')
  const second = await readTimes()
  expect(second.changedAt).toBe(second.updatedAt)
  expect((first.changedAt ?? '') < (second.changedAt ?? '')).toBe(true)
  expect((await loadSnapshot(market.pool)).dataset('sample').changedAt).toBeNull()
})

test('an import has a later time than the previous one, even if the database clock was set back', async () => {
  await save(provider('harrow'))
  await take('3.00')
  const ahead = new Date(Date.now() + 3_600_000)
  await market.pool.query('UPDATE market_import SET changed_at = $1 WHERE id = (SELECT max(id) FROM market_import)', [ahead])
  await take('3.10')
  const next = new Date(ahead.getTime() + 1).toISOString()
  expect(await readTimes()).toEqual({ changedAt: next, updatedAt: next })
})

test("if only an earlier release has imported, the newest change is dated an hour earlier, because that release's clock may have been ahead", async () => {
  await save(provider('harrow'))
  await market.pool.query('UPDATE market_import SET changed_at = NULL, at = $1', [new Date('2026-11-20T07:00:00Z')])
  expect((await getView()).changedAt).toBe('2026-11-20T06:00:00.000Z')
})

const getMarket = (changedAt: string | null) => new MarketView({ products: [], providers: [], cards: [], changedAt })

test('withdrawn rows can be requested since the newest change, regardless of its age', () => {
  clock.now = () => Date.parse('2026-11-27T12:00:00Z')
  const changes = (updatedSince: string, changedAt: string | null) => toChanges({ updatedSince, withdrawn: 'include' }, getMarket(changedAt))
  const old = '2026-05-01T06:00:00.000Z'
  expect(changes(old, old)).toEqual({ changedAfter: old, withWithdrawn: true })
  expect(() => changes(old, '2026-05-01T06:00:00.001Z')).toThrow(/can be at most 90 days ago/)
  expect(() => changes(old, null)).toThrow(/can be at most 90 days ago/)
  expect(changes('2026-10-01T06:00:00.000Z', '2026-11-27T06:00:00.000Z').withWithdrawn).toBe(true)
})

test('`updatedUntil` of an offer list is before midnight, so that the next update returns offers that end at midnight', async () => {
  const read = async (now: string, changedAt: string) => {
    clock.now = () => Date.parse(now)
    const page = (await listSwitchOffers.read({}, { limit: 10, after: null }, getContext(getMarket(changedAt)))) as { updatedUntil: string }
    return page.updatedUntil
  }
  expect(await read('2026-11-27T12:00:00Z', '2026-11-27T06:00:00.000Z')).toBe('2026-11-27T06:00:00.000Z')
  // The clock of this process is behind: the import after midnight is already loaded.
  expect(await read('2026-11-27T23:59:59Z', '2026-11-28T00:00:01.000Z')).toBe('2026-11-27T23:59:59.999Z')
  expect(await read('2026-06-27T22:59:59Z', '2026-06-27T23:00:01.000Z')).toBe('2026-06-27T22:59:59.999Z')
})

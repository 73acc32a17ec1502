import { expect, test } from 'vitest'
import type { Context } from '#server/api/endpoints/define.ts'
import { getHeroStats } from '#server/api/endpoints/market-statistics/get-hero-stats.endpoint.ts'
import { getMarketOverview } from '#server/api/endpoints/market-statistics/get-market-overview.endpoint.ts'
import { listCategoryStats } from '#server/api/endpoints/market-statistics/list-category-stats.endpoint.ts'
import { listMarketAverages } from '#server/api/endpoints/market-statistics/list-market-averages.endpoint.ts'
import { importFeed } from '#server/market/import/import-feed.ts'
import { loadSnapshot } from '#server/market/snapshot.ts'
import { ndjson, product, provider } from '../feeds.ts'
import { marketDatabase } from '../market-database.ts'
import { getContext, readItem, readList } from '../read-endpoint.ts'

const market = marketDatabase()
const slugs = ['a', 'b', 'c']

/** Creates three providers with one easy-access account each, and no history. */
async function threeAccounts(): Promise<void> {
  const source = (lines: object[]) => ({ source: ndjson(...(lines as Record<string, unknown>[])), dataset: 'live' as const })
  await importFeed(market.pool, { ...source(slugs.map((slug) => provider(slug))), fileName: 'providers.ndjson' })
  await importFeed(market.pool, { ...source(slugs.map((slug) => product(`p-${slug}`, { providerSlug: slug }))), fileName: 'products.ndjson' })
  await market.pool.query('TRUNCATE rate_change')
}

type Step = readonly [slug: string, day: string, rateBp: number | null, type?: string]

/** Writes history. Each step sets a product's rate from a given day on; null withdraws the product. */
async function write(...steps: Step[]): Promise<void> {
  for (const [slug, day, rateBp, type = 'easy-access'] of steps) {
    await market.pool.query(
      `WITH before AS (SELECT rate_bp, effective_date FROM rate_change WHERE source_key = 'p-' || $1::text ORDER BY effective_date DESC, seq DESC LIMIT 1)
       INSERT INTO rate_change (dataset, source_key, provider_slug, account_name, account_type, direction, previous_rate_bp, previous_base_rate_bp,
         previous_boost_rate_bp, rate_bp, base_rate_bp, boost_rate_bp, effective_date, previous_effective_date, detected_at)
       SELECT 'live', 'p-' || $1::text, $1, 'Saver', $2, CASE WHEN rate_bp IS NULL THEN 'launched' WHEN $3::int IS NULL THEN 'withdrawn' WHEN $3 > rate_bp THEN 'up'
         WHEN $3 < rate_bp THEN 'down' ELSE 'unchanged' END, rate_bp, rate_bp, rate_bp * 0, $3, $3, $3 * 0, $4, effective_date, now()
       FROM (SELECT) one LEFT JOIN before ON true`,
      [slug, type, rateBp, day],
    )
  }
  // Sets the products' current rates, which must match their latest history rows.
  await market.pool.query(
    `UPDATE product p SET withdrawn_at = CASE WHEN r.rate_bp IS NULL THEN now() END, rate_bp = coalesce(r.rate_bp, p.rate_bp), account_type = r.account_type,
       base_rate_bp = coalesce(r.rate_bp, p.rate_bp), boost_rate_bp = 0, boost_duration = NULL
     FROM (SELECT DISTINCT ON (source_key) * FROM rate_change ORDER BY source_key, effective_date DESC, seq DESC) r WHERE p.source_key = r.source_key`,
  )
}

/** Loads the market as of `now`, with its last change at `changedAt`. */
async function contextAt(now: string, changedAt = now): Promise<Context & { move: (to: string) => void }> {
  await market.pool.query('UPDATE market_import SET at = $1', [changedAt])
  let at = now
  const snapshot = await loadSnapshot(market.pool, () => Date.parse(at))
  const move = (to: string) => {
    at = to
  }
  return { ...getContext(snapshot.dataset('live')), move }
}

async function getAverages(context: Context): Promise<unknown[]> {
  const [row] = await readList(listMarketAverages, context)
  return [row?.['monthAgo'], row?.['yearAgo'], row?.['asOf']]
}

test('averages the rates that applied exactly one month and one year ago', async () => {
  await threeAccounts()
  await write(['a', '2025-01-01', 100], ['a', '2025-11-21', 200], ['a', '2026-10-21', 301], ['a', '2026-10-22', 900])
  await write(['b', '2025-01-01', 100], ['b', '2025-11-22', 900], ['b', '2026-10-20', 300])
  await write(['c', '2025-01-01', 100], ['c', '2026-01-01', 301])
  // The rates a year ago were 2.00, 1.00 and 1.00; a month ago they were 3.01, 3.00 and 3.01, with a mean of 3.0067.
  expect(await getAverages(await contextAt('2026-11-21T12:00:00Z'))).toEqual(['3.01', '1.33', '2026-11-21'])
})

test('counts back from the London date of the last market change, not from today', async () => {
  await threeAccounts()
  for (const slug of slugs) await write([slug, '2026-05-01', 100], [slug, '2026-06-01', 200])
  // 23:30 UTC on 30 June is already 1 July in London.
  expect(await getAverages(await contextAt('2026-11-21T12:00:00Z', '2026-06-30T23:30:00Z'))).toEqual(['2.00', null, '2026-07-01'])
  expect(await getAverages(await contextAt('2026-11-21T12:00:00Z', '2026-06-30T22:30:00Z'))).toEqual(['1.00', null, '2026-06-30'])
})

test('withholds the past average if only two accounts existed then', async () => {
  await threeAccounts()
  await write(['a', '2025-01-01', 100], ['b', '2025-01-01', 200], ['c', '2025-01-01', 300], ['c', '2026-10-21', null])
  expect(await getAverages(await contextAt('2026-11-21T12:00:00Z'))).toEqual([null, '2.00', '2026-11-21'])
  await market.pool.query('TRUNCATE rate_change')
  await write(['a', '2025-01-01', 100], ['b', '2025-01-01', 200], ['c', '2026-10-21', 300])
  expect(await getAverages(await contextAt('2026-11-21T12:00:00Z'))).toEqual(['2.00', null, '2026-11-21'])
})

test('counts an account under the type that it had at the time', async () => {
  await threeAccounts()
  await write(['a', '2025-01-01', 100, 'notice'], ['b', '2025-01-01', 200], ['c', '2025-01-01', 300])
  expect(await getAverages(await contextAt('2026-11-21T12:00:00Z'))).toEqual([null, null, '2026-11-21'])
})

async function getCounts(context: Context): Promise<unknown[]> {
  const overview = await readItem(getMarketOverview, context, {})
  const hero = await readItem(getHeroStats, context, {})
  const [easyAccess, fixedRate] = await readList(listCategoryStats, context)
  return [overview['risesLast7Days'], overview['cutsLast7Days'], easyAccess?.['changesLast30Days'], fixedRate?.['changesLast30Days'], hero['updatesToday']]
}

test('counts rises, cuts, changes and updates by London dates relative to today', async () => {
  await threeAccounts()
  await write(
    ['a', '2026-10-22', 100],
    ['a', '2026-10-23', 110],
    ['a', '2026-11-14', 120],
    ['a', '2026-11-15', 130],
    ['a', '2026-11-21', 130],
    ['a', '2026-11-21', null],
  )
  await write(['b', '2026-10-23', 100], ['b', '2026-11-15', 90], ['b', '2026-11-16', 80], ['b', '2026-11-21', 85])
  await write(['c', '2026-11-21', 100, 'fixed-rate'], ['c', '2026-11-22', 150, 'fixed-rate'])
  const context = await contextAt('2026-11-21T12:00:00Z')
  // The seven-day window starts on 15 November, the 30-day window on 23 October. The change on 22 November is still in the future.
  expect(await getCounts(context)).toEqual([2, 2, 7, 0, 4])
  context.move('2026-11-21T23:59:59Z')
  expect(await getCounts(context)).toEqual([2, 2, 7, 0, 4])
  context.move('2026-11-22T00:00:00Z')
  expect(await getCounts(context)).toEqual([2, 1, 6, 1, 1])
  context.move('2026-11-28T12:00:00Z')
  expect(await getCounts(context)).toEqual([1, 0, 6, 1, 0])
  context.move('2027-01-10T12:00:00Z')
  expect(await getCounts(context)).toEqual([0, 0, 0, 0, 0])
})

test('starts a day at midnight in London, which is 23:00 UTC in summer', async () => {
  await threeAccounts()
  await write(['a', '2026-06-30', 100], ['a', '2026-07-01', 110])
  const context = await contextAt('2026-06-30T22:59:59Z')
  expect(await getCounts(context)).toEqual([0, 0, 0, 0, 1])
  context.move('2026-06-30T23:00:00Z')
  expect(await getCounts(context)).toEqual([1, 0, 1, 0, 1])
})

test('keeps asOf after an import without changes', async () => {
  await threeAccounts()
  const before = (await loadSnapshot(market.pool)).dataset('live').figures.asOf
  await importFeed(market.pool, { source: ndjson(...slugs.map((slug) => provider(slug))), fileName: 'providers.ndjson', dataset: 'live' })
  expect((await loadSnapshot(market.pool)).dataset('live').figures.asOf).toBe(before)
  expect((await loadSnapshot(market.pool)).dataset('sample').figures.asOf).toBeNull()
})

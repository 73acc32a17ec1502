import { expect, test } from 'vitest'
import { getHeroStats } from '#server/api/endpoints/market-statistics/get-hero-stats.endpoint.ts'
import { getMarketOverview } from '#server/api/endpoints/market-statistics/get-market-overview.endpoint.ts'
import { listCardStats } from '#server/api/endpoints/market-statistics/list-card-stats.endpoint.ts'
import { listCategoryStats } from '#server/api/endpoints/market-statistics/list-category-stats.endpoint.ts'
import { listMarketAverages } from '#server/api/endpoints/market-statistics/list-market-averages.endpoint.ts'
import { type Dataset, datasets } from '#server/market/product.ts'
import { loadSnapshot, type MarketSnapshot } from '#server/market/snapshot.ts'
import { cites } from '../../requirements/verifies.ts'
import { marketDatabase } from '../market-database.ts'
import { getContext, publicUrl, type Row, readItem, readList } from '../read-endpoint.ts'

cites('market/overview', 'market/averages', 'market/category-stats', 'market/card-stats', 'market/hero-stats')

const database = marketDatabase({ isSeeded: true })
let loaded: MarketSnapshot | undefined

async function contextFor(name: Dataset) {
  loaded ??= await loadSnapshot(database.pool)
  return getContext(loaded.dataset(name))
}

/** Runs a query that calculates the figures independently of the service, with exact decimals. */
async function asked<Row extends object>(sql: string, dataset: Dataset): Promise<Row[]> {
  return (await database.pool.query<Row>(sql, [dataset])).rows
}

const listed = `product p JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug WHERE p.dataset = $1 AND p.withdrawn_at IS NULL AND v.active`
const percentText = (expression: string) => `trim(to_char(round(${expression}) / 100, '990.00'))`
/** PostgreSQL rounds halves of `numeric` values away from zero, which is the same as half up here because rates are never negative. */
const averageText = `CASE WHEN count(DISTINCT v.licence_group) >= 3 THEN ${percentText('avg(p.rate_bp)')} END`
const shareText = (condition: string) => percentText(`count(*) FILTER (WHERE ${condition}) * 10000.0 / count(*)`)

const typeOrder = `array_position(ARRAY['easy-access', 'fixed-rate', 'notice', 'cash-isa', 'junior-isa', 'lifetime-isa', 'stocks-shares-isa', 'regular-saver',
  'childrens-savings'], p.account_type)`

test.each(datasets)('/market/category-stats for the %s market matches a calculation in SQL', async (name) => {
  const expected = await asked<Row>(
    `SELECT p.account_type AS "accountType", count(*)::int AS "productCount", count(DISTINCT v.slug)::int AS "providerCount",
       ${percentText('min(p.rate_bp)::numeric')} AS "minRate", ${percentText('max(p.rate_bp)::numeric')} AS "maxRate", ${averageText} AS "averageRate",
       ${percentText('(percentile_disc(0.9) WITHIN GROUP (ORDER BY p.rate_bp))::numeric')} AS "percentile90Rate",
       ${shareText('p.new_customers_only')} AS "newCustomersOnlyShare", ${shareText('p.boost_rate_bp > 0')} AS "withBonusShare",
       ${shareText(`v.protection_scheme LIKE 'FSCS%'`)} AS "fscsShare"
     FROM ${listed} GROUP BY p.account_type ORDER BY ${typeOrder}`,
    name,
  )
  const rows = await readList(listCategoryStats, await contextFor(name))
  expect(rows.map(({ changesLast30Days: _changes, asOf: _asOf, ...row }) => row)).toEqual(expected)
  expect(rows).toHaveLength(9)
})

test.each(datasets)('/market/averages for the %s market matches a calculation in SQL', async (name) => {
  const expected = await asked<Row>(
    `SELECT p.account_type AS "accountType", p.term_months || 'm' AS term, ${averageText} AS "averageRate",
       CASE WHEN count(DISTINCT v.licence_group) >= 3 THEN
         ${percentText('floor((percentile_cont(0.5) WITHIN GROUP (ORDER BY p.rate_bp))::numeric + 0.5)')} END AS "medianRate",
       ${percentText('max(p.rate_bp)::numeric')} AS "bestRate", count(*)::int AS "productCount", count(DISTINCT v.licence_group)::int AS "institutionCount"
     FROM ${listed} GROUP BY p.account_type, p.term_months ORDER BY ${typeOrder}, p.term_months NULLS FIRST`,
    name,
  )
  const rows = await readList(listMarketAverages, await contextFor(name))
  expect(
    rows.map(({ accountType, term, averageRate, medianRate, bestRate, productCount, institutionCount }) => ({
      accountType,
      term,
      averageRate,
      medianRate,
      bestRate,
      productCount,
      institutionCount,
    })),
  ).toEqual(expected)
  // The sample must cover both withheld and published averages.
  if (name === 'sample') expect(new Set(rows.map(({ averageRate }) => averageRate === null))).toEqual(new Set([true, false]))
})

test('includes the Bank of England rate in /market/averages if there is a comparable series', async () => {
  const rows = await readList(listMarketAverages, await contextFor('live'))
  const benchmarked = rows.flatMap((row) =>
    row['boeSeriesCode'] === null ? [] : [[row['accountType'], row['term'], row['boeSeriesCode'], row['boeRate'], row['boeRateAsOf']]],
  )
  expect(benchmarked).toEqual([
    ['easy-access', null, 'IUMB6VK', '1.90', '2026-08-31'],
    ['fixed-rate', '12m', 'IUMWTFA', '4.04', '2026-08-31'],
  ])
  expect(rows.find(({ term, accountType }) => accountType === 'fixed-rate' && term === '12m')).toMatchObject({
    boeSeries: 'Fixed rate bond, 1 year',
    boeSource: 'Bank of England, quoted household interest rates',
    boeLicence: 'Open Government Licence v3.0',
    boeStale: expect.any(Boolean),
  })
})

test.each(datasets)('/market/card-stats for the %s market matches a calculation in SQL', async (name) => {
  const expected = await asked<Row>(
    `SELECT c.list AS category, count(*)::int AS "cardCount",
       CASE WHEN count(DISTINCT coalesce(v.licence_group, c.provider_name)) FILTER (WHERE c.representative_apr_bp IS NOT NULL) >= 3
         THEN ${percentText('avg(c.representative_apr_bp)')} END AS "averageRepresentativeApr",
       ${percentText('min(c.fx_fee_bp)::numeric')} AS "lowestFxFee", (count(*) FILTER (WHERE c.annual_fee_pence = 0))::int AS "feeFreeCount",
       ${percentText(`max(CASE WHEN c.list = 'travel' THEN c.foreign_reward_bp WHEN c.reward_type = 'cashback'
         THEN greatest(c.earn_rate_hundredths, (SELECT max((t ->> 'rateHundredths')::int) FROM jsonb_array_elements(c.reward_tiers) t)) END)::numeric`)} AS "highestCashback"
     FROM card c LEFT JOIN provider v ON v.dataset = c.dataset AND v.slug = c.provider_slug WHERE c.dataset = $1 GROUP BY c.list ORDER BY c.list`,
    name,
  )
  const rows = await readList(listCardStats, await contextFor(name))
  expect(rows.map(({ asOf: _asOf, ...row }) => row)).toEqual(expected)
  if (name === 'live') expect(rows.map(({ averageRepresentativeApr }) => averageRepresentativeApr === null)).toEqual([false, false])
})

test.each(datasets)('the /market/overview and /market/hero-stats counts for the %s market match the database', async (name) => {
  const [counts] = await asked<Row>(
    `SELECT count(*)::int AS "productCount", (SELECT count(*)::int FROM provider WHERE dataset = $1 AND active) AS "providerCount",
       (count(*) FILTER (WHERE p.rate_bp > 375))::int AS "beatingBankRate", (count(*) FILTER (WHERE p.rate_bp > 310))::int AS "beatingInflation" FROM ${listed}`,
    name,
  )
  const [top] = await asked<{ name: string; rate: string }>(
    `SELECT v.name, ${percentText('p.rate_bp::numeric')} AS rate FROM ${listed} ORDER BY p.rate_bp DESC, p.source_key COLLATE "C" LIMIT 1`,
    name,
  )
  const [imported] = await asked<{ at: Date }>(
    'SELECT max(at)::timestamptz(3) AS at FROM market_import WHERE dataset = $1 AND added + changed + withdrawn > 0',
    name,
  )
  const asOf = imported?.at.toISOString()
  const overview = await readItem(getMarketOverview, await contextFor(name), {})
  expect(overview).toMatchObject({ ...counts, asOf, bankRate: '3.75', bankRateChangedOn: '2025-12-18', nextMpcDate: null, cpi: '3.10', cpiMonth: '2026-08' })
  expect(overview['sources']).toMatchObject([
    { of: 'bankRate', source: 'Bank of England, Official Bank Rate', asOf: '2026-10-06T00:00:00.000Z' },
    { of: 'cpi', source: 'Office for National Statistics, CPI annual rate', asOf: '2026-08-31T00:00:00.000Z' },
  ])
  expect(await readItem(getHeroStats, await contextFor(name), {})).toMatchObject({
    productsTracked: counts?.['productCount'],
    providersTracked: counts?.['providerCount'],
    topRate: top?.rate,
    topRateProvider: top?.name,
    asOf,
  })
})

test.each(datasets)('lists the best products by type and the five best providers of the %s market', async (name) => {
  const best = await asked<Row>(
    `SELECT "accountType", rate, provider, "sourceKey" FROM (
       SELECT p.account_type AS "accountType", ${percentText('p.rate_bp::numeric')} AS rate, v.name AS provider, p.source_key AS "sourceKey", ${typeOrder} AS place,
         row_number() OVER (PARTITION BY p.account_type ORDER BY p.rate_bp DESC, p.source_key COLLATE "C") AS at FROM ${listed}) ranked
     WHERE at = 1 ORDER BY place`,
    name,
  )
  const top = await asked<Row>(
    `SELECT slug, name, "logoUrl", "bestRate", "accountType" FROM (
       SELECT v.slug, v.name, p.rate_bp, p.source_key, '${publicUrl}/logos/' || v.dataset || '/' || CASE WHEN v.colour IS NOT NULL THEN v.slug END || '.svg' AS "logoUrl",
         ${percentText('p.rate_bp::numeric')} AS "bestRate", p.account_type AS "accountType",
         row_number() OVER (PARTITION BY v.slug ORDER BY p.rate_bp DESC, p.source_key COLLATE "C") AS at FROM ${listed}) ranked
     WHERE at = 1 ORDER BY rate_bp DESC, source_key COLLATE "C" LIMIT 5`,
    name,
  )
  const overview = await readItem(getMarketOverview, await contextFor(name), {})
  expect(overview['bestByType']).toEqual(best)
  expect(overview['topProviders']).toEqual(top)
  expect(top).toHaveLength(5)
})

test.each(datasets)('returns every row of the %s market once at any page size', async (name) => {
  const context = await contextFor(name)
  for (const endpoint of [listMarketAverages, listCategoryStats, listCardStats]) {
    const whole = await readList(endpoint, context)
    for (const limit of [1, 2, 7]) expect(await readList(endpoint, context, '', limit)).toEqual(whole)
    // One request with the largest page size returns everything.
    expect(whole.length).toBeLessThanOrEqual(50)
  }
})

test.each(datasets)('past average rates for the %s market match an independent SQL calculation', async (name) => {
  const [last] = await asked<{ day: string }>(
    `SELECT to_char((max(at) AT TIME ZONE 'Europe/London')::date, 'YYYY-MM-DD') AS day FROM market_import WHERE dataset = $1 AND added + changed + withdrawn > 0`,
    name,
  )
  // The query reads the whole history row by row; the service computes the average product by product.
  const past = (ago: string) =>
    asked<{ type: string; rate: string | null }>(
      `SELECT account_type AS type, CASE WHEN count(DISTINCT licence_group) >= 3 THEN ${percentText('avg(rate_bp)')} END AS rate FROM (
         SELECT DISTINCT ON (r.source_key) r.account_type, r.rate_bp, v.licence_group FROM rate_change r
           LEFT JOIN provider v ON v.dataset = r.dataset AND v.slug = r.provider_slug
         WHERE r.dataset = $1 AND r.effective_date <= '${last?.day}'::date - interval '${ago}' ORDER BY r.source_key, r.effective_date DESC, r.seq DESC) stood
       WHERE rate_bp IS NOT NULL GROUP BY account_type`,
      name,
    )
  const rows = await readList(listMarketAverages, await contextFor(name))
  for (const [field, ago] of [
    ['monthAgo', '1 month'],
    ['yearAgo', '1 year'],
  ] as const) {
    const rateByType = new Map((await past(ago)).map(({ type, rate }) => [type, rate]))
    // Account types without fixed terms have a single row that covers all accounts, including those that appear only in the history.
    for (const type of ['easy-access', 'notice', 'childrens-savings']) {
      const row = rows.find((one) => one['accountType'] === type)
      expect([type, field, row?.['term'], row?.[field]]).toEqual([type, field, null, rateByType.get(type) ?? null])
    }
  }
})

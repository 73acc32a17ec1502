import { expect, test } from 'vitest'
import { getHeroStats } from '#server/api/endpoints/market-statistics/get-hero-stats.endpoint.ts'
import { getMarketOverview } from '#server/api/endpoints/market-statistics/get-market-overview.endpoint.ts'
import { listCardStats } from '#server/api/endpoints/market-statistics/list-card-stats.endpoint.ts'
import { listCategoryStats } from '#server/api/endpoints/market-statistics/list-category-stats.endpoint.ts'
import { listMarketAverages } from '#server/api/endpoints/market-statistics/list-market-averages.endpoint.ts'
import { MarketView } from '#server/market/market-view.ts'
import type { Product } from '#server/market/product.ts'
import type { Provider } from '#server/market/provider.ts'
import { makeProduct } from '../make-product.ts'
import { getContext, readItem, readList } from '../read-endpoint.ts'

const makeProvider = (slug: string, licenceGroup = slug): Provider => ({
  slug,
  name: `${slug} Bank`,
  legalName: `${slug} Bank plc`,
  frn: null,
  providerType: 'bank',
  website: `https://${slug}.example/`,
  founded: null,
  headquarters: null,
  ownerName: null,
  ownerCountry: null,
  protectionScheme: 'FSCS (test provider)',
  protectionLimitPence: 12_000_000,
  licenceGroup,
  cassParticipant: false,
  colour: null,
  logoPath: null,
  updatedAt: '2026-11-21T06:00:00.000Z',
})

/** Builds a market with one account per provider. Rates start at 4.00% and fall in steps of 0.01 percentage points. */
function getMarket(providers: readonly Provider[], facts: Partial<Product> = {}) {
  const products = providers.map(({ slug, name }, at) => makeProduct({ sourceKey: `p${at}`, providerSlug: slug, provider: name, rateBp: 400 - at, ...facts }))
  return getContext(new MarketView({ providers, products, cards: [] }))
}

test('returns empty statistics for an empty market', async () => {
  const context = getMarket([])
  expect(await readItem(getMarketOverview, context, {})).toEqual({
    asOf: null,
    bankRate: null,
    bankRateChangedOn: null,
    nextMpcDate: null,
    cpi: null,
    cpiMonth: null,
    productCount: 0,
    providerCount: 0,
    beatingBankRate: null,
    beatingInflation: null,
    risesLast7Days: 0,
    cutsLast7Days: 0,
    topProviders: [],
    bestByType: [],
    sources: [],
  })
  expect(await readItem(getHeroStats, context, {})).toEqual({
    productsTracked: 0,
    providersTracked: 0,
    topRate: null,
    topRateProvider: null,
    updatesToday: 0,
    asOf: null,
  })
  expect(await readList(listMarketAverages, context)).toEqual([])
  const categories = await readList(listCategoryStats, context)
  expect(categories).toHaveLength(9)
  for (const row of categories) {
    expect(row).toMatchObject({ productCount: 0, providerCount: 0, minRate: null, maxRate: null, averageRate: null, percentile90Rate: null })
    expect(row).toMatchObject({ newCustomersOnlyShare: null, withBonusShare: null, fscsShare: null, changesLast30Days: 0, asOf: null })
  }
  const nothing = { cardCount: 0, averageRepresentativeApr: null, lowestFxFee: null, feeFreeCount: 0, highestCashback: null, asOf: null }
  expect(await readList(listCardStats, context)).toEqual([
    { category: 'rewards', ...nothing },
    { category: 'travel', ...nothing },
  ])
})

test.each([
  ['one provider', [makeProvider('a')], 1, null],
  ['two institutions', [makeProvider('a'), makeProvider('b')], 2, null],
  ['three brands on two licences', [makeProvider('a'), makeProvider('b', 'a'), makeProvider('c')], 2, null],
  ['three institutions', [makeProvider('a'), makeProvider('b'), makeProvider('c')], 3, '3.99'],
] as const)('returns the averages of %s', async (_name, providers, institutionCount, average) => {
  const context = getMarket(providers)
  const [row] = await readList(listMarketAverages, context)
  expect(row).toMatchObject({ averageRate: average, medianRate: average, bestRate: '4.00', productCount: providers.length, institutionCount, monthAgo: null })
  const [category] = await readList(listCategoryStats, context)
  const lowest = (400 - providers.length + 1) / 100
  expect(category).toMatchObject({
    averageRate: average,
    providerCount: providers.length,
    maxRate: '4.00',
    minRate: lowest.toFixed(2),
    percentile90Rate: '4.00',
  })
})

test('counts a provider without products, and lists each provider only once', async () => {
  const providers = [makeProvider('a'), makeProvider('b')]
  const products = [390, 400, 410].map((rateBp) => makeProduct({ sourceKey: `p${rateBp}`, providerSlug: 'a', provider: 'a Bank', rateBp }))
  const overview = await readItem(getMarketOverview, getContext(new MarketView({ providers, products, cards: [] })), {})
  expect(overview).toMatchObject({ productCount: 3, providerCount: 2 })
  expect(overview['topProviders']).toEqual([{ slug: 'a', name: 'a Bank', logoUrl: null, bestRate: '4.10', accountType: 'easy-access' }])
  expect(overview['bestByType']).toEqual([{ accountType: 'easy-access', rate: '4.10', provider: 'a Bank', sourceKey: 'p410' }])
})

test('does not count a rate equal to the benchmark as beating it', () => {
  const products = [374, 375, 375, 376].map((rateBp, at) => makeProduct({ sourceKey: `p${at}`, rateBp }))
  const { figures } = new MarketView({ providers: [], products, cards: [] })
  expect([373, 374, 375, 376].map((rateBp) => figures.countAbove(rateBp))).toEqual([4, 3, 1, 0])
})

test('sorts accounts without a term first, then by term', async () => {
  const terms = [24, null, 6, 12, 120]
  const products = terms.map((termMonths, at) => makeProduct({ sourceKey: `p${at}`, accountType: 'cash-isa', termMonths }))
  const rows = await readList(listMarketAverages, getContext(new MarketView({ providers: [], products, cards: [] })))
  expect(rows.map(({ term }) => term)).toEqual([null, '6m', '12m', '24m', '120m'])
})

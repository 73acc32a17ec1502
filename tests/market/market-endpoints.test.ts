import { expect, test } from 'vitest'
import { RefusedError } from '#server/api/contract/errors.ts'
import { getCardAsset } from '#server/api/endpoints/assets/get-card-asset.endpoint.ts'
import { getProviderAsset } from '#server/api/endpoints/assets/get-provider-asset.endpoint.ts'
import { listRewardCards } from '#server/api/endpoints/cards/list-reward-cards.endpoint.ts'
import { listTravelCards } from '#server/api/endpoints/cards/list-travel-cards.endpoint.ts'
import { listAccountOffers } from '#server/api/endpoints/offers/list-account-offers.endpoint.ts'
import { listSwitchOffers } from '#server/api/endpoints/offers/list-switch-offers.endpoint.ts'
import { getProvider } from '#server/api/endpoints/providers/get-provider.endpoint.ts'
import { getServiceQuality } from '#server/api/endpoints/providers/get-service-quality.endpoint.ts'
import { listProviders } from '#server/api/endpoints/providers/list-providers.endpoint.ts'
import type { PipelineEndpoint } from '#server/api/pipeline/call.ts'
import { clock } from '#server/clock.ts'
import { datasets } from '#server/market/product.ts'
import { loadSnapshot, type MarketSnapshot } from '#server/market/snapshot.ts'
import { cites } from '../requirements/verifies.ts'
import { marketDatabase } from './market-database.ts'
import { getContext, publicUrl, type Row, readItem, readList } from './read-endpoint.ts'

cites(
  'market/providers',
  'market/single-provider',
  'market/service-quality',
  'market/switch-offers',
  'market/account-offers',
  'market/reward-cards',
  'market/travel-cards-currency',
  'market/provider-logo-asset',
  'market/card-image-asset',
  'logos/on-nested-products',
  'logos/on-providers',
  'logos/on-single-provider',
  'logos/on-switch-offers',
  'logos/on-account-offers',
  'logos/on-reward-cards',
  'logos/on-travel-cards',
  'logos/on-service-quality',
  'decision/asset-envelope',
  'formats/money-two-decimal-strings',
)

const database = marketDatabase({ isSeeded: true })
let loaded: MarketSnapshot | undefined

async function view(name: (typeof datasets)[number]) {
  loaded ??= await loadSnapshot(database.pool)
  return loaded.dataset(name)
}

const counts = {
  live: { providers: 120, switchOffers: 20, accountOffers: 23, cards: 14 },
  sample: { providers: 10, switchOffers: 5, accountOffers: 8, cards: 4 },
}

async function getRefusal(endpoint: PipelineEndpoint, path: Record<string, string>): Promise<string> {
  const error = await readItem(endpoint, getContext(await view('sample')), path).catch((fault: unknown) => fault)
  if (error instanceof RefusedError) return error.message
  throw new Error(`The call was not rejected: ${JSON.stringify(error)}`)
}

/** Calls `run` with the clock set to noon on a given date, because the demonstration offers depend on the date. */
async function on<Result>(day: string, run: () => Promise<Result>): Promise<Result> {
  const { now } = clock
  clock.now = () => Date.parse(`${day}T12:00:00Z`)
  try {
    return await run()
  } finally {
    clock.now = now
  }
}

const isDistinct = (rows: readonly Row[], key: string) => new Set(rows.map((row) => row[key])).size === rows.length

test.each(datasets)('returns every row of every list of the %s market once at any page size, matching its schema', async (name) => {
  const context = getContext(await view(name))
  const expected = counts[name]
  await on('2026-11-21', async () => {
    for (const [endpoint, key, count] of [
      [listProviders, 'slug', expected.providers],
      [listSwitchOffers, 'offerKey', expected.switchOffers],
      [listAccountOffers, 'offerKey', expected.accountOffers],
      [listRewardCards, 'sourceKey', expected.cards],
      [listTravelCards, 'sourceKey', expected.cards],
    ] as const) {
      const whole = await readList(endpoint, context)
      expect([endpoint.id, whole.length, isDistinct(whole, key)]).toEqual([endpoint.id, count, true])
      for (const limit of [1, 3, 7]) expect(await readList(endpoint, context, '', limit)).toEqual(whole)
    }
  })
})

test.each(datasets)('returns each provider of the %s market with its products, surveys and logo', async (name) => {
  const context = getContext(await view(name))
  for (const provider of await readList(listProviders, context)) {
    const path = { slug: String(provider['slug']) }
    const { products, ...record } = await readItem(getProvider, context, path)
    expect(record).toEqual(provider)
    const rates = (products as Row[]).map((product) => Number(product['rate']))
    expect([rates.length, Math.max(...rates).toFixed(2)]).toEqual([provider['productCount'], provider['topRate']])
    expect(rates).toEqual(rates.toSorted((a, b) => b - a))
    const quality = await readItem(getServiceQuality, context, path)
    expect(quality['provider']).toEqual({ slug: path.slug, name: provider['name'], logoUrl: provider['logoUrl'] })
    expect((quality['surveys'] as Row[]).length > 0).toBe(provider['cassParticipant'])
    if (provider['logoUrl'] === null) expect(await getRefusal(getProviderAsset, path)).toMatch(/^not_found: There is no /)
    else expect(await readItem(getProviderAsset, context, path)).toMatchObject({ slug: path.slug, url: provider['logoUrl'], width: 64, height: 64 })
  }
})

test('lists providers by name, with product and licence summaries', async () => {
  const rows = await readList(listProviders, getContext(await view('sample')))
  expect(rows.map(({ name }) => name)).toEqual([
    'Brindlequay Bank',
    'Cloverstrand Credit Union',
    'Copsemallow Building Society',
    'Dormer Isle Bank',
    'Hartmantle Building Society',
    'Lowenmoor',
    'Paperlark Bank',
    'Pinmarrow Cash Platform',
    'Tolwick Bank',
    'Wynfarrow Building Society',
  ])
  const shared = rows.filter(({ sharesLicenceWith }) => (sharesLicenceWith as string[]).length > 0)
  expect(shared).toHaveLength(2)
  expect(shared[0]?.['sharesLicenceWith']).toEqual([shared[1]?.['slug']])
  expect(rows[6]).toMatchObject({ slug: 'paperlark', logoUrl: `${publicUrl}/logos/sample/paperlark.svg`, protectionLimit: '120000.00', trustScore: '4.1' })
  expect(rows.find(({ slug }) => slug === 'copsemallow')).toMatchObject({ trustScore: null, trustReviewCount: null, trustSource: null, trustAsOf: null })
})

test('includes product logos in a provider only on plans with logos', async () => {
  const market = await view('sample')
  const getLogos = async (withLogos: boolean) => {
    const { products } = await readItem(getProvider, getContext(market, { withLogos }), { slug: 'paperlark' })
    return (products as Row[]).map((product) => product['providerLogoUrl'])
  }
  expect(new Set(await getLogos(true))).toEqual(new Set([`${publicUrl}/logos/sample/paperlark.svg`]))
  expect(new Set(await getLogos(false))).toEqual(new Set([undefined]))
})

test('returns survey scores with ranks, and null with too few responses', async () => {
  const { surveys } = await readItem(getServiceQuality, getContext(await view('sample')), { slug: 'lowenmoor' })
  expect(surveys).toMatchObject([
    { region: 'GB', providersRanked: 5, publishedAt: '2026-08-15', branch: { percent: 54, rank: 1, jointRank: true, rankOf: 3 } },
    { region: 'NI', providersRanked: 4 },
  ])
  const branchless = await readItem(getServiceQuality, getContext(await view('sample')), { slug: 'dormer-isle' })
  expect(branchless['surveys']).toMatchObject([{ overdraft: null, branch: null }, { branch: null }])
})

test('lists switch offers by bonus with their status, and omits ended ones', async () => {
  const context = getContext(await view('sample'))
  const read = (day: string) => on(day, () => readList(listSwitchOffers, context, '', 2))
  const before = await read('2026-11-21')
  const bonuses = before.map(({ bonusAmount }) => Number(bonusAmount))
  expect(bonuses).toEqual(bonuses.toSorted((a, b) => b - a))
  expect(before.every(({ status }) => status === 'live')).toBe(true)
  const ending = before.filter(({ endDate }) => endDate === '2026-12-31').map(({ offerKey }) => offerKey)
  expect(ending.length).toBeGreaterThan(0)
  for (const day of ['2026-12-17', '2026-12-31']) {
    const soon = (await read(day)).filter(({ status }) => status === 'ending-soon').map(({ offerKey }) => offerKey)
    expect(soon).toEqual(ending)
  }
  expect((await read('2026-12-16')).every(({ status }) => status === 'live')).toBe(true)
  const after = await read('2027-01-01')
  expect(after.map(({ offerKey }) => offerKey)).toEqual(before.map(({ offerKey }) => offerKey).filter((key) => !ending.includes(key)))
})

test('omits ended account offers', async () => {
  const context = getContext(await view('sample'))
  const now = await on('2026-11-21', () => readList(listAccountOffers, context))
  const later = await on('2027-06-01', () => readList(listAccountOffers, context))
  expect(later).toEqual(now.filter(({ endDate }) => endDate === null))
})

test('lists travel cards by fee, filters by currency, and shows no cost for spending in pounds', async () => {
  const context = getContext(await view('sample'))
  const all = await readList(listTravelCards, context)
  expect(all.map(({ fxFee }) => fxFee)).toEqual(['0.00', '0.50', '1.00', '2.99'])
  expect(all.map(({ costPer100 }) => costPer100)).toEqual(['0.00', '0.50', '1.00', '2.99'])
  expect(all.every(({ currency, indicativeRate }) => currency === null && indicativeRate === null)).toBe(true)
  const yen = await readList(listTravelCards, context, '?currency=JPY')
  expect(yen.map(({ sourceKey }) => sourceKey)).toEqual(['tuppenny-way-abroad-card', 'tolwick-bank-travel-debit-card', 'brindlequay-bank-travel-credit-card'])
  const [rate] = context.market.statistics.fxRates('JPY')
  const asked = { currency: 'JPY', indicativeRate: rate?.rate ?? null, indicativeRateDate: rate?.date ?? null }
  for (const card of yen) expect(card).toMatchObject(asked)
  const pounds = await readList(listTravelCards, context, '?currency=GBP')
  expect(pounds.every(({ costPer100 }) => costPer100 === '0.00')).toBe(true)
  await expect(readList(listTravelCards, context, '?currency=eur')).rejects.toThrow('Did you mean "EUR"?')
  await expect(readList(listTravelCards, context, '?curency=EUR')).rejects.toThrow('Did you mean "currency"?')
})

test.each(datasets)('returns an SVG image for every card of the %s market', async (name) => {
  const context = getContext(await view(name))
  for (const card of [...(await readList(listRewardCards, context)), ...(await readList(listTravelCards, context))]) {
    const asset = await readItem(getCardAsset, context, { sourceKey: String(card['sourceKey']) })
    const bytes = Buffer.from(String(asset['contentBase64']), 'base64')
    expect(asset).toMatchObject({ name: card['name'], url: card['imageUrl'], contentType: 'image/svg+xml', width: 320, height: 202, sizeBytes: bytes.length })
    expect(card['imageUrl']).toBe(`${publicUrl}/card-images/${name}/${card['sourceKey']}.svg`)
    expect(bytes.toString()).toMatch(/^<svg [^>]*viewBox="0 0 320 202"[\s\S]*<\/svg>\n$/)
  }
})

test('returns 404 for an unknown provider or card', async () => {
  for (const endpoint of [getProvider, getServiceQuality, getProviderAsset]) {
    expect(await getRefusal(endpoint, { slug: 'nobody' })).toBe('not_found: There is no provider "nobody". See /reference/providers.')
  }
  expect(await getRefusal(getCardAsset, { sourceKey: 'none' })).toBe('not_found: There is no card "none". See /reference/cards.')
})

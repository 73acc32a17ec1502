import { expect, test } from 'vitest'
import { type Feed, importFeed } from '#server/market/import/import-feed.ts'
import { seedMarket } from '#server/market/seed.ts'
import { loadSnapshot } from '#server/market/snapshot.ts'
import { card, type Line, ndjson, product, provider } from './feeds.ts'
import { marketDatabase, readRows, readVersions } from './market-database.ts'

const market = marketDatabase()

const take = (lines: Line[], dataset: Feed['dataset'] = 'live', options: Partial<Feed> = {}) =>
  importFeed(market.pool, { source: ndjson(...lines), fileName: 'feed.ndjson', dataset, ...options })

const quiet = { info: () => undefined }

test('loads both datasets with their version', async () => {
  await take([provider('harrow', { name: 'Harrow Bank' }), provider('plain', { colour: null })])
  await take([product('a'), product('b', { providerSlug: 'plain' })])
  await take([card('x')])
  await take([provider('other')], 'sample')
  const snapshot = await loadSnapshot(market.pool)
  expect(snapshot.version).toBe((await readVersions(market.pool)).marketVersion)
  const live = snapshot.dataset('live')
  expect(live.productCount).toBe(2)
  const found = live.product('a')
  expect(found?.product).toEqual({
    sourceKey: 'a',
    provider: 'Harrow Bank',
    providerSlug: 'harrow',
    providerLogoPath: '/logos/live/harrow.svg',
    accountName: 'Easy Access Saver',
    accountType: 'easy-access',
    rateBp: 450,
    baseRateBp: 325,
    boostRateBp: 125,
    boostDuration: '12 months',
    interestPaid: 'Annually',
    interestType: 'Variable',
    access: 'Withdraw at any time',
    minBalancePence: 100,
    maxBalancePence: 8_500_000,
    maxMonthlyDepositPence: null,
    termMonths: null,
    noticeDays: null,
    withdrawalsPerYear: null,
    maturityDate: null,
    listedSince: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
    fscsDetails: 'Test provider: an FSCS-protected bank would cover up to £120,000 per person.',
    newCustomersOnly: false,
    url: 'https://harrow.example/savings/easy-access-saver',
    urlCheckedAt: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  })
  expect(found?.reasons[0]).toBe('Ranks joint 1st by rate of 2 easy-access accounts')
  expect(live.product('b')?.product.providerLogoPath).toBeNull()
  expect(live.provider('harrow')).toMatchObject({ colour: '#1f3a5f', protectionLimitPence: 12_000_000, logoPath: '/logos/live/harrow.svg' })
  expect(live.cards()).toMatchObject([{ sourceKey: 'x', list: 'rewards', providerSlug: 'harrow', logoPath: '/logos/live/harrow.svg' }])
  expect([...snapshot.dataset('sample').providerSlugs()]).toEqual(['other'])
})

test('excludes withdrawn products and inactive providers', async () => {
  await take([provider('harrow'), provider('kestrel')])
  await take([product('a'), product('b'), product('c', { providerSlug: 'kestrel' })])
  await take([card('x', { providerSlug: 'kestrel' })])
  await take([product('a'), product('c', { providerSlug: 'kestrel' })])
  await take([provider('harrow'), provider('kestrel', { active: false })])
  const live = (await loadSnapshot(market.pool)).dataset('live')
  expect(live.products({ limit: 10 }).rows.map(({ product: { sourceKey } }) => sourceKey)).toEqual(['a'])
  expect(live.product('b')).toBeUndefined()
  expect(live.link('c')).toBeUndefined()
  expect(live.hasProvider('kestrel')).toBe(false)
  expect(live.providers().map(({ slug }) => slug)).toEqual(['harrow'])
  expect(live.cards()).toMatchObject([{ sourceKey: 'x', provider: 'Harrow Bank', providerSlug: null, logoPath: null }])
})

test('seeds the sample and demonstration markets once', async () => {
  await seedMarket(market.pool, { log: quiet })
  const [rows, versions] = [await readRows(market.pool), await readVersions(market.pool)]
  const snapshot = await loadSnapshot(market.pool)
  expect(snapshot.dataset('live').productCount).toBe(1500)
  expect(snapshot.dataset('live').providers()).toHaveLength(120)
  expect(snapshot.dataset('sample').productCount).toBe(40)
  expect(snapshot.dataset('sample').cards()).toHaveLength(8)
  await seedMarket(market.pool, { log: quiet })
  expect(await readRows(market.pool)).toEqual(rows)
  expect(await readVersions(market.pool)).toEqual(versions)
})

test("never overwrites existing live data or an operator's own sample", async () => {
  await take([provider('harrow')])
  await seedMarket(market.pool, { log: quiet })
  await take([provider('own')], 'sample', { confirm: true })
  const rows = await readRows(market.pool)
  await seedMarket(market.pool, { log: quiet })
  expect(await readRows(market.pool)).toEqual(rows)
  const snapshot = await loadSnapshot(market.pool)
  expect(
    snapshot
      .dataset('live')
      .providers()
      .map(({ slug }) => slug),
  ).toEqual(['harrow'])
  expect(
    snapshot
      .dataset('sample')
      .providers()
      .map(({ slug }) => slug),
  ).toEqual(['own'])
})

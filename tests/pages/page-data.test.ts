/** Compares page data with the API response, or with the database if the API doesn't return the data. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getCoverage, isFictionalAddress } from '#server/api/documents/markets.ts'
import { productPage } from '#server/api/documents/product-page.ts'
import { providerPage } from '#server/api/documents/provider-page.ts'
import { pageData } from '#server/market/page-data.ts'
import { loadSnapshot, type MarketSnapshot } from '#server/market/snapshot.ts'
import { Fixture } from '../v1/support/fixture.ts'
import { marketChanged } from '../v1/support/operator.ts'

const fixture = new Fixture('lean')
const now = () => Date.parse('2026-11-21T12:00:00Z')
let market: MarketSnapshot

beforeAll(async () => {
  await fixture.open()
  market = await loadSnapshot(fixture.pool, now)
})

afterAll(() => fixture.close())

const getProductPage = (sourceKey: string) => productPage(market, pageData(fixture.pool, now), sourceKey)
const getProviderPage = (slug: string) => providerPage(market, pageData(fixture.pool, now), slug)

const withoutHost = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll('"https://api.example.test/', '"/'))

test('a product page shows the same data as the API, preferring live data to sample data', async () => {
  const live = await fixture.live({ plan: 'enterprise' })
  const sample = await fixture.test()
  for (const [dataset, { key }] of [
    ['live', live],
    ['sample', sample],
  ] as const) {
    const sourceKey = await fixture.productKey(dataset)
    const page = await getProductPage(sourceKey)
    const answer = await fixture.get(page?.target ?? '', key)
    const link = (await fixture.get(`${page?.target}/link`, key)).body.data
    expect(answer.status).toBe(200)
    expect(page?.terms?.product).toEqual(withoutHost(answer.body.data))
    expect(page?.terms?.link).toEqual({ url: link.url, checkedAt: link.checkedAt })
    const { provider, providerSlug, accountName, accountType, rate, providerLogoUrl } = withoutHost(answer.body.data)
    expect(page?.heading).toEqual({ provider, providerSlug, accountName, accountType, rate, providerLogoUrl })
    expect(page).toMatchObject({
      isFictional: true,
      withdrawnOn: null,
      notice: dataset === 'live' ? expect.stringMatching(/^Demonstration/) : expect.stringMatching(/^Sample/),
    })
  }
  expect((await getProductPage(await fixture.productKey()))?.cost).toBe('Costs 1 credit with a live key.')
})

test('returns null for unknown and malformed ids', async () => {
  for (const nothing of ['', 'no-such-product', '__proto__', '\0', '%00', 'a'.repeat(5_000), "'; DROP TABLE product; --", 'ä', '../etc']) {
    expect([nothing, await getProductPage(nothing), await getProviderPage(nothing)]).toEqual([nothing, null, null])
  }
})

test('shows the rate history of the last twelve months, ending with the current rate', async () => {
  const keys = await fixture.sql<{ key: string }>(
    `SELECT source_key AS key FROM product WHERE dataset = 'live' AND withdrawn_at IS NULL ORDER BY md5(source_key) LIMIT 40`,
  )
  for (const { key } of keys) {
    const page = await getProductPage(key)
    const rows = await fixture.sql<{ date: string; rate: string | null }>(
      `SELECT DISTINCT ON (effective_date) effective_date::text AS date, trim(to_char(rate_bp / 100.0, '990.00')) AS rate FROM rate_change
       WHERE dataset = 'live' AND source_key = $1 ORDER BY effective_date, seq DESC`,
      [key],
    )
    const before = rows.findLast(({ date }) => date <= '2025-11-21')
    const expected = [...(before ? [before] : []), ...rows.filter(({ date }) => date > '2025-11-21')]
    expect(page?.history.steps.map(({ date, rate }) => ({ date, rate }))).toEqual(expected)
    expect(page?.history).toMatchObject({ from: '2025-11-21', to: '2026-11-21' })
    expect(page?.history.steps.at(-1)?.rate).toBe(page?.heading.rate)
  }
})

test('a provider page lists the other brands on its licence', async () => {
  const pairs = await fixture.sql<{ slugs: string[] }>(
    `SELECT array_agg(slug ORDER BY slug) AS slugs FROM provider WHERE dataset = 'live' AND active GROUP BY licence_group HAVING count(*) > 1`,
  )
  expect(pairs.length).toBeGreaterThan(0)
  for (const { slugs } of pairs) {
    for (const slug of slugs) {
      const page = await getProviderPage(slug)
      expect(page?.protection?.sharedWith.map((brand) => brand.slug).toSorted()).toEqual(slugs.filter((other) => other !== slug))
      const [product] = page?.products ?? []
      if (product) expect((await getProductPage(product.sourceKey))?.protection).toEqual(page?.protection)
    }
  }
})

test('lists all brands that share the licence of a real brand, including unlisted ones', async () => {
  await fixture.sql(
    `INSERT INTO provider (dataset, slug, name, legal_name, provider_type, website, protection_scheme, protection_limit_pence, licence_group, updated_at)
     VALUES ('live', 'halifax', 'Halifax', 'Bank of Scotland plc', 'bank', 'https://www.halifax.co.uk/', 'FSCS', 12000000, 'bank-of-scotland-plc', now())`,
  )
  await marketChanged(fixture)
  const real = await loadSnapshot(fixture.pool, now)
  const page = await providerPage(real, pageData(fixture.pool, now), 'halifax')
  expect(page).toMatchObject({ isFictional: false, notice: null, protection: { scheme: 'FSCS', limit: '120000.00' } })
  expect(page?.protection?.sharedWith).toEqual(expect.arrayContaining([{ name: 'Bank of Scotland', slug: null }]))
  await fixture.sql(`DELETE FROM provider WHERE slug = 'halifax'`)
  await marketChanged(fixture)
})

test('a provider page shows the same data as the API', async () => {
  const { key } = await fixture.live({ plan: 'enterprise' })
  const slugs = await fixture.sql<{ slug: string }>(`SELECT DISTINCT provider_slug AS slug FROM service_quality WHERE dataset = 'live' LIMIT 3`)
  for (const { slug } of slugs) {
    const page = await getProviderPage(slug)
    const { products, ...record } = withoutHost((await fixture.get(page?.target ?? '', key)).body.data)
    expect(page?.provider).toEqual(record)
    expect(page?.products).toEqual(products)
    expect(page?.surveys).toEqual((await fixture.get(`/providers/${slug}/service-quality`, key)).body.data.surveys)
    expect(page).toMatchObject({ isListed: true, isFictional: true, cost: 'Costs 1 credit with a live key.' })
  }
})

test('keeps the page of a withdrawn product, with the date and the last rate', async () => {
  const [known] = await fixture.sql<{ key: string; name: string; rate: number }>(
    `UPDATE product SET withdrawn_at = '2026-11-20T23:30:00Z' WHERE dataset = 'live' AND source_key = (SELECT min(source_key) FROM product WHERE dataset = 'live')
     RETURNING source_key AS key, account_name AS name, rate_bp AS rate`,
  )
  const snapshot = await loadSnapshot(fixture.pool, now)
  const page = await productPage(snapshot, pageData(fixture.pool, now), known?.key ?? '')
  expect(page).toMatchObject({
    withdrawnOn: '2026-11-20',
    heading: { accountName: known?.name, rate: ((known?.rate ?? 0) / 100).toFixed(2) },
    isFictional: true,
  })
  expect(page?.terms?.product.accountName).toBe(known?.name)
  await fixture.sql('UPDATE product SET withdrawn_at = NULL WHERE source_key = $1', [known?.key])
})

test('keeps the page of a product that exists only in the rate history', async () => {
  const gone = await fixture.sql<{ key: string; day: string; rate: number; name: string }>(
    `SELECT DISTINCT ON (source_key) source_key AS key, effective_date::text AS day, previous_rate_bp AS rate, account_name AS name FROM rate_change r
     WHERE dataset = 'live' AND NOT EXISTS (SELECT FROM product p WHERE p.dataset = 'live' AND p.source_key = r.source_key)
     ORDER BY source_key, effective_date DESC, seq DESC LIMIT 5`,
  )
  expect(gone).toHaveLength(5)
  for (const { key, day, rate, name } of gone) {
    const page = await getProductPage(key)
    expect(page).toMatchObject({ withdrawnOn: day, terms: null, isFictional: true, heading: { accountName: name, rate: (rate / 100).toFixed(2) } })
  }
})

test('keeps the page of a delisted provider but lists no products on it, and keeps the product pages', async () => {
  const [provider] = await fixture.sql<{ slug: string }>(
    `SELECT slug FROM provider v WHERE dataset = 'live' AND EXISTS (SELECT FROM product p WHERE p.dataset = 'live' AND p.provider_slug = v.slug) ORDER BY slug LIMIT 1`,
  )
  const slug = provider?.slug ?? ''
  const [product] = market.dataset('live').products({ provider: slug, limit: 1 }).rows
  await fixture.sql(`UPDATE provider SET active = false, updated_at = '2026-11-10T12:00:00Z' WHERE dataset = 'live' AND slug = $1`, [slug])
  const snapshot = await loadSnapshot(fixture.pool, now)
  const page = await providerPage(snapshot, pageData(fixture.pool, now), slug)
  expect(page).toMatchObject({
    isListed: false,
    products: [],
    surveys: [],
    protection: null,
    isFictional: true,
    provider: { slug, updatedAt: '2026-11-10T12:00:00.000Z' },
  })
  const former = await productPage(snapshot, pageData(fixture.pool, now), product?.product.sourceKey ?? '')
  expect(former).toMatchObject({ withdrawnOn: '2026-11-10', protection: null, isFictional: true })
  await fixture.sql('UPDATE provider SET active = true WHERE slug = $1', [slug])
})

test('counts the products and providers that the API serves', async () => {
  const [products] = await fixture.sql<{ n: number }>(`SELECT count(*)::int AS n FROM product WHERE dataset = 'live' AND withdrawn_at IS NULL`)
  const { key } = await fixture.live()
  const providers = (await fixture.get('/reference/providers', key)).body.data.length
  expect(getCoverage(market)).toEqual({ products: products?.n, providers, isFictional: true })
})

test.each([
  ['https://www.oakmere.example/', true],
  ['https://oakmere.example', true],
  ['https://www.example.com/', false],
  ['https://example.bank/', false],
])('%s is a fictional address: %s', (url, isFictional) => {
  expect(isFictionalAddress(url)).toBe(isFictional)
})

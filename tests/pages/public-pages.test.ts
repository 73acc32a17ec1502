/** Fetches pages as a browser does. Only the Next mount serves pages. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useCases } from '#server/api/documents/site/home-page.ts'
import { verifies } from '../requirements/verifies.ts'
import { Fixture } from '../v1/support/fixture.ts'
import { marketChanged } from '../v1/support/operator.ts'

const fixture = new Fixture('next')

beforeAll(() => fixture.open())
afterAll(() => fixture.close())

async function pageAt(path: string): Promise<{ status: number; html: string; text: string }> {
  const response = await fetch(fixture.service.origin + path)
  const html = await response.text()
  const shown = html.replace(/<script[\s\S]*?<\/script>/g, '').replace(/<!--.*?-->/g, '')
  return {
    status: response.status,
    html: shown,
    text: shown
      .replace(/<[^>]+>/g, ' ')
      .replace(/&#x27;/g, "'")
      .replace(/&amp;/g, '&')
      .replace(/\s+/g, ' '),
  }
}

/** Waits until the portal process has reloaded the market; it checks for changes every few seconds. */
async function until(isThere: () => Promise<boolean>): Promise<void> {
  await expect.poll(isThere, { timeout: 15_000, interval: 300 }).toBe(true)
}

verifies('product/depositscout-url-page', async () => {
  const [live, test] = [await fixture.live({ credits: 1_000 }), await fixture.test()]
  for (const { key } of [live, test]) {
    for (const row of (await fixture.get('/rates?limit=6', key)).body.data) {
      const { status, html, text } = await pageAt(new URL(row.depositscoutUrl).pathname)
      expect([row.sourceKey, status]).toEqual([row.sourceKey, 200])
      for (const shown of [row.accountName, row.provider, `${row.rate}%`, row.accountType, row.access, row.fscsDetails]) expect(text).toContain(shown)
      expect(html).toMatch(new RegExp(`<h1[^>]*>${row.accountName.replace(/[&']/g, '.*')}</h1>`))
    }
  }
})

test('a product page marks the bank as fictional, shows rates as a chart and a table, and links to the provider', async () => {
  const { key } = await fixture.live()
  const product = await fixture.productKey()
  const link = (await fixture.get(`/rates/${product}/link`, key)).body.data
  const { html, text } = await pageAt(`/products/${product}`)
  expect(text).toContain('Demonstration product. This bank does not exist.')
  expect(html).toContain('<meta name="robots" content="noindex"/>')
  expect(html).toMatch(/<svg[^>]*aria-hidden="true"/)
  expect(html).toMatch(/<details[^>]*>\s*<summary[^>]*>Show as table<\/summary>\s*<table/)
  expect(html).toContain(`href="${link.url}"`)
  expect(text).toContain('(fictional address)')
  expect(html).toContain(`href="/providers/${link.providerSlug}"`)
  expect(text).toContain('Data: Savings Rates Data API, used under the Data Licence v2026-09')
  expect(text).toContain('Limit per person')
  expect(text).toMatch(/\d+(?:\.\d\d)?% since \d+ \w+ 20\d\d/)
})

test('labels a sample product and excludes it from search engines', async () => {
  const { html, text } = await pageAt(`/products/${await fixture.productKey('sample')}`)
  expect(text).toContain('Sample product. This bank does not exist.')
  expect(html).toContain('<meta name="robots" content="noindex"/>')
})

test('a provider page shows its details, logo, products with rates, protection and service quality', async () => {
  const { key } = await fixture.live({ plan: 'enterprise', credits: 1_000 })
  const [{ slug }] = (await fixture.sql<{ slug: string }>(
    `SELECT provider_slug AS slug FROM service_quality JOIN provider ON provider.slug = provider_slug AND provider.dataset = 'live'
     WHERE service_quality.dataset = 'live' AND colour IS NOT NULL ORDER BY 1 LIMIT 1`,
  )) as [{ slug: string }]
  const provider = (await fixture.get(`/providers/${slug}`, key)).body.data
  const { status, html, text } = await pageAt(`/providers/${slug}`)
  expect(status).toBe(200)
  for (const shown of [provider.name, provider.legalName, provider.headquarters, 'Demonstration provider. This bank does not exist.', 'Service quality']) {
    expect(text).toContain(shown)
  }
  expect(html).toContain(`src="/logos/live/${slug}.svg"`)
  expect(html).toContain(`href="${provider.website}"`)
  for (const product of provider.products) {
    expect(html).toContain(`href="/products/${product.sourceKey}"`)
    expect(text).toContain(`${product.rate}%`)
  }
  expect(text).toContain(provider.protectionScheme)
})

test('shows a page for a withdrawn product, and 404 for unknown paths', async () => {
  const { key } = await fixture.live()
  const product = await fixture.productKey()
  await fixture.sql(`UPDATE product SET withdrawn_at = now() WHERE dataset = 'live' AND source_key = $1`, [product])
  await marketChanged(fixture)
  await until(async () => (await pageAt(`/products/${product}`)).text.includes('Withdrawn on'))
  const { status, text } = await pageAt(`/products/${product}`)
  expect(status).toBe(200)
  expect(text).toContain('This account can no longer be opened.')
  expect(text).not.toContain('Get this as JSON')
  expect((await fixture.get(`/rates/${product}`, key)).status).toBe(404)
  for (const path of [
    '/products/no-such-product',
    '/providers/nobody',
    `/products/${'a'.repeat(300)}`,
    '/products/%00',
    '/providers/%27',
    '/products/__proto__',
    '/docs/nothing',
    '/docs/errors/nothing',
    '/reference/nothing',
    '/licence/v2020-01',
    '/nothing',
  ]) {
    const missing = await pageAt(path)
    expect([path, missing.status]).toEqual([path, 404])
    // The 404 page must be readable without JavaScript.
    expect(missing.html, path).toMatch(/<h1[^>]*>Page not found<\/h1>/)
    expect(missing.text, path).toContain("That page doesn't exist. Go to the home page")
    expect(missing.html, path).toContain('<title>Page not found')
    expect(missing.html, path).toContain('<meta name="robots" content="noindex"/>')
  }
})

test('the price page shows how many endpoints accept live keys and test keys', async () => {
  const { text } = await pageAt('/docs/prices')
  const [, live, all, rest] = /(\d+) of the (\d+) endpoints accept live keys, .*? The other (\d+) are test-only/.exec(text) ?? []
  expect(Number(live) + Number(rest)).toBe(Number(all))
  for (const expected of [
    `${all} endpoints available`,
    'A credit costs 10p on every plan.',
    'Hobby You start here No monthly fee 1,000 live calls a day 60 calls a minute for each key No rate history',
    'Enterprise Available on request 100,000 live calls a day 600 calls a minute for each key Rate history included',
    `all ${all} endpoints with sample data`,
    // The estimate can be read without JavaScript.
    '£100 a month 1,000 credits 100 calls × 10 rows × 1 credit. About 3 calls a day; Hobby allows 1,000.',
  ])
    expect(text).toContain(expected)
})

verifies('site/home-counts', async () => {
  const [counted] = await fixture.sql<{ products: string; providers: string; changes: string; since: string }>(
    `SELECT to_char((SELECT count(*) FROM product WHERE dataset = 'live' AND withdrawn_at IS NULL), 'FM999,999,999') AS products,
       to_char((SELECT count(*) FROM provider WHERE dataset = 'live' AND active), 'FM999,999,999') AS providers,
       to_char(count(*), 'FM999,999,999') AS changes, to_char(min(effective_date), 'FMDD FMMonth YYYY') AS since
     FROM rate_change WHERE dataset = 'live'`,
  )
  // The page follows the market within seconds.
  await until(async () => (await pageAt('/')).text.includes(`products ${counted?.products}`))
  const { text } = await pageAt('/')
  for (const shown of [`providers ${counted?.providers}`, `rate changes ${counted?.changes} Since ${counted?.since}`]) expect(text).toContain(shown)
})

verifies('site/home-example', async () => {
  const { html, text } = await pageAt('/')
  const { key } = await fixture.test()
  const { data } = (await fixture.get('/rates?type=easy-access&limit=3', key)).body
  for (const row of data) for (const shown of [row.accountName, row.provider, `${row.rate}%`]) expect(text).toContain(shown)
  expect(html).toContain(`href="/products/${data[0].sourceKey}"`)
  expect(text).toContain('1 credit is 10p. A row of rates costs 1 credit. Credits never expire.')
})

verifies('site/home-use-cases', async () => {
  const { key } = await fixture.live({ credits: 100 })
  const { text } = await pageAt('/')
  const cases = useCases('https://api.example.test')
  for (const { title, link } of cases) {
    expect(text).toContain(title)
    expect([link.href, (await pageAt(link.href)).status]).toEqual([link.href, 200])
  }
  const [rank, react, tool] = cases.map(({ sample }) => sample.code)
  // curl's -G sends each -d as a query parameter.
  const parameters = [...(rank ?? '').matchAll(/-d (\S+)/g)].map(([, parameter]) => parameter).join('&')
  const target = `${/\/v1(\/[^"]+)"/.exec(rank ?? '')?.[1]}?${parameters}`
  expect((await fixture.get(target, key)).body.data.length).toBeGreaterThan(0)
  const change = (await fixture.get('/history?limit=1', (await fixture.live({ plan: 'enterprise', credits: 100 })).key)).body.data[0]
  for (const name of ['sourceKey', 'newRate']) {
    expect(react).toContain(name)
    expect(change).toHaveProperty(name)
  }
  expect(JSON.parse(tool ?? '')).toEqual({
    mcpServers: { 'savings-rates': { type: 'http', url: 'https://api.example.test/mcp', headers: { Authorization: 'Bearer $SVC_API_KEY' } } },
  })
})

verifies('site/one-product-name', async () => {
  for (const path of ['/', '/docs', '/status', '/changelog', '/sign-in', '/nothing']) {
    const { html } = await pageAt(path)
    expect(html, path).toContain('Savings Rates Data API')
    expect(html, path).not.toMatch(/Savings Rates API/)
  }
})

verifies('site/service-state-separate', async () => {
  const { text } = await pageAt('/status')
  const isBehind = / Out of date | Older than usual /.test(text)
  expect(isBehind || / Demonstration /.test(text)).toBe(true)
  expect(text).toContain('Status All systems operational. Checked on')
  expect(text).toMatch(/ Data freshness Rates (?:are older than usual, )?last changed on .*? (?:Stale|Up to date) /)
  expect(/ Data freshness .*? Stale Uptime /.test(text)).toBe(isBehind)
})

verifies('site/response-times', async () => {
  await fixture.sql(
    `INSERT INTO service_traffic (grain, at, status, bucket, requests)
     VALUES ('hour', date_trunc('hour', now()) - interval '25 days', 200, 7, 1000000000) ON CONFLICT DO NOTHING`,
  )
  // A page with a query is not served from memory.
  expect((await pageAt('/status?now')).text).toMatch(/Last 24 hours .*? Last 30 days 10 ms 10 ms/)
})

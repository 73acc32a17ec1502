import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SearchResult } from '#server/api/documents/site/search-index.ts'
import { Fixture } from '../v1/support/fixture.ts'

const fixture = new Fixture('next')
beforeAll(() => fixture.open())
afterAll(() => fixture.close())

/** Returns the URLs of the results, best first, and the displayed count. */
async function search(query: string): Promise<{ found: string[]; said: string; html: string }> {
  const response = await fetch(`${fixture.service.origin}/docs/search?${new URLSearchParams({ q: query })}`)
  const html = (await response.text()).replace(/<script\b[\s\S]*?<\/script>/g, '').replace(/<!--.*?-->/g, '')
  expect(response.status).toBe(200)
  const main = html.slice(html.indexOf('role="status"'))
  const list = /<ul[^>]*>([\s\S]*?)<\/ul>/.exec(main)?.[1] ?? ''
  return { found: [...list.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href), said: /role="status">([^<]*)/.exec(html)?.[1] ?? '', html }
}

const fetchResults = (parameters: string[][]) => fetch(`${fixture.service.origin}/api/search?${new URLSearchParams(parameters)}`)

async function getResults(query: string): Promise<SearchResult[]> {
  const response = await fetchResults([['q', query]])
  expect(response.status).toBe(200)
  return ((await response.json()) as { results: SearchResult[] }).results
}

test.each([
  ['webhook signature', '/docs/webhooks#verify-the-signature'],
  ['limit the price', '/docs/credits#limit-the-price-of-a-call'],
  ['rate_limited', '/docs/errors/rate_limited'],
  ['simulate', '/reference/simulate'],
  ['switch offers', '/reference/switch-offers'],
  ['GET /rates', '/reference/rates-list'],
  ['ETAG', '/docs/conditional-requests'],
  ['rate limit', '/docs/limits#over-a-limit'],
])('"%s" finds %s first', async (query, expected) => {
  const { found } = await search(query)
  expect(found[0]).toBe(expected)
})

test('lists guides before endpoints before errors, and each page once', async () => {
  const order = ['Guides', 'Reference', 'Errors', 'Terms']
  for (const query of ['rat', 'credits', 'key', 'request']) {
    const results = await getResults(query)
    const places = results.map(({ section }) => order.indexOf(section))
    expect(places, query).toEqual(places.toSorted((a, b) => a - b))
    expect(new Set(places).size, query).toBeGreaterThan(1)
    expect(new Set(results.map(({ path }) => path)).size, query).toBe(results.length)
    const { found } = await search(query)
    expect(found.map((href) => href.split('#')[0])).toEqual(results.map(({ path }) => path))
  }
})

test('lists the best page of every section, even if many guides and endpoints match', async () => {
  const results = await getResults('insufficient_cre')
  expect(results.find(({ section }) => section === 'Errors')?.path).toBe('/docs/errors/insufficient_credits')
})

test('requires all words, matches prefixes, and shows at most 20 results', async () => {
  const { found, said } = await search('rat')
  expect(found.length).toBe(20)
  expect(said).toContain('20 results')
  expect((await search('rates zebra')).said).toBe('No results for “rates zebra”.')
})

test('escapes the query', async () => {
  const { html, said } = await search('<img src=x onerror=alert(1)> "\' & (')
  expect(html).not.toContain('<img src=x')
  expect(said).toContain('No results for')
  expect((await search('')).said).toBe('Search every guide, endpoint and error.')
  expect((await search('a'.repeat(5_000))).said).toContain('No results for')
})

test('the JSON search returns few or no results for hostile input', async () => {
  const hostile = [
    '',
    ' ',
    '\0',
    '*',
    '(',
    '__proto__',
    'constructor',
    '"><script>',
    '\u{1f600}',
    '🏦'.repeat(500),
    'e '.repeat(3_000),
    'a'.repeat(6_000),
    '../../etc/passwd',
  ]
  for (const query of hostile) {
    const results = await getResults(query)
    expect(results.length, query.slice(0, 20)).toBeLessThanOrEqual(20)
    expect(JSON.stringify(results).length, query.slice(0, 20)).toBeLessThan(16_000)
  }
})

test('the JSON search rejects requests without exactly one query', async () => {
  for (const parameters of [
    [],
    [['query', 'rates']],
    [
      ['q', 'rates'],
      ['q', 'keys'],
    ],
  ]) {
    const response = await fetchResults(parameters)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: { message: 'Send the search term in a single parameter, q.' } })
  }
  const posted = await fetch(`${fixture.service.origin}/api/search?q=rates`, { method: 'POST' })
  expect(posted.status).toBe(405)
})

test('the JSON search may be cached for one minute', async () => {
  const { headers } = await fetchResults([['q', 'rates']])
  expect(headers.get('cache-control')).toBe('public, max-age=60')
  expect(headers.get('set-cookie')).toBeNull()
})

import { afterAll, beforeAll, expect, test } from 'vitest'
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

test.each([
  ['webhook signature', '/docs/webhooks#verify-the-signature'],
  ['limit the price', '/docs/credits#limit-the-price-of-a-call'],
  ['rate_limited', '/docs/errors/rate_limited'],
  ['simulate', '/reference/simulate'],
  ['switch offers', '/reference/switch-offers'],
  ['ETAG', '/docs/conditional-requests'],
])('"%s" finds %s first', async (query, expected) => {
  const { found } = await search(query)
  expect(found[0]).toBe(expected)
})

test('requires all words, matches prefixes, and shows at most three results per page', async () => {
  const { found, said } = await search('rat')
  expect(found.length).toBe(20)
  expect(said).toContain('20 results')
  const byPage = Map.groupBy(found, (href) => href.split('#')[0])
  for (const [page, hits] of byPage) expect(hits.length, page).toBeLessThanOrEqual(3)
  expect((await search('rates zebra')).said).toBe('No results for “rates zebra”.')
})

test('escapes the query', async () => {
  const { html, said } = await search('<img src=x onerror=alert(1)> "\' & (')
  expect(html).not.toContain('<img src=x')
  expect(said).toContain('No results for')
  expect((await search('')).said).toBe('Search every guide, endpoint and error.')
  expect((await search('a'.repeat(5_000))).said).toContain('No results for')
})

import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { findPublicPage } from '#server/runtime/page-cache/public-pages.ts'

const find = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  findPublicPage({ method, url, headers: { host: 'example.test', ...headers } } as unknown as IncomingMessage)

const getKey = (url: string, headers: Record<string, string> = {}): string | null => {
  const found = find(url, headers)
  return found === null || found === 'uncacheable' ? found : found.key
}

test.each([
  '/',
  '/?type=cash-isa',
  '/docs',
  '/docs/limits',
  '/docs/errors/not_found',
  '/docs/limits.md',
  '/terms.md',
  '/reference/rates-list',
  '/products/brindlequay-cash-isa-84f2',
  '/providers/brindlequay',
  '/status',
  '/changelog?kind=added',
  '/changelog.xml',
  '/licence/v2026-09',
  '/llms.txt',
  '/sitemap.xml',
])('caches %s', (url) => expect(find(url)).toMatchObject({ url }))

test.each([
  '/console?endpoint=rates-list',
  '/sign-in',
  '/portal',
  '/admin',
  '/docs/search',
  '/docs/search?q=a',
  '/api/trpc/account.overview',
  '/theme',
  '/v1/rates',
  '/_next/static/a.js',
  '/dev/mail',
  '/portal/settings.md',
  '/sign-in.md',
])('leaves %s to Next', (url) => expect(find(url)).toBeNull())

test.each([
  '/?type=cash-isa&type=notice',
  '/?type=unknown',
  '/?TYPE=cash-isa',
  '/?a=1',
  '/?type=cash-isa&a=1',
  '/?type=cash-isa&',
  '/?type=cash%2Disa',
  '/docs?type=cash-isa',
  '/reference/rates-list?type=notice&limit=2',
  '/reference/rates-list?send=1',
  '/changelog?kind=constructor',
  '/?__proto__=1',
])('does not cache %s', (url) => expect(find(url)).toBe('uncacheable'))

test.each(['/docs/../portal', '/docs/%2e%2e/portal', '/products/%00', '//evil.test/', '/docs/', '/docs/limits/', '/docs\\limits', '/products/..', '/docs/a b'])(
  'does not recognise the path %s',
  (url) => expect(find(url)).toBeNull(),
)

test('an empty query has the same key as none', () => expect(getKey('/docs?')).toBe(getKey('/docs')))

test('only GET and HEAD read the cache, with one key', () => {
  expect(find('/', {}, 'HEAD')).toEqual(find('/'))
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) expect(find('/', {}, method)).toBeNull()
})

test('has one key per theme, host and scheme, regardless of other headers', () => {
  const keys = [{}, { cookie: 'theme=dark' }, { cookie: 'theme=light' }, { host: 'other.test' }, { 'x-forwarded-proto': 'https' }].map((one) =>
    getKey('/', one),
  )
  expect(new Set(keys).size).toBe(5)
  for (const cookie of ['theme=blue', 'a=theme=dark', 'nottheme=dark', 'svc.session=abc', 'theme=dark2']) expect(getKey('/', { cookie })).toBe(keys[0])
  expect(getKey('/', { cookie: 'a=1; theme=dark; b=2' })).toBe(keys[1])
  expect(getKey('/', { cookie: '__Host-theme=light; theme=dark' })).toBe(keys[2])
  expect(getKey('/', { authorization: 'Bearer key', 'user-agent': 'a', 'accept-language': 'fr' })).toBe(keys[0])
  expect(getKey('/llms.txt', { cookie: 'theme=dark' })).toBe(getKey('/llms.txt'))
})

test('does not cache pages for a malformed host or scheme', () => {
  for (const headers of [{ host: 'a b' }, { host: 'a"b' }, { host: 'a'.repeat(300) }, { 'x-forwarded-proto': 'javascript' }, { 'x-forwarded-host': 'a, b' }])
    expect(find('/', headers)).toBe('uncacheable')
})

test("does not cache requests with the RSC header, and ignores the router's other headers without it", () => {
  expect(find('/', { rsc: '1', 'next-router-prefetch': '1' })).toBe('uncacheable')
  for (const name of ['next-router-state-tree', 'next-router-prefetch', 'x-nextjs-data', 'next-url']) expect(getKey('/', { [name]: '1' })).toBe(getKey('/'))
})

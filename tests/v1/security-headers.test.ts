import { expect, test } from 'vitest'
import { type Fixture, onEachMount } from './support/fixture.ts'

/** Kind of response, which determines the expected security headers. */
type Kind = 'api' | 'document' | 'open document' | 'page' | 'drawing'

type Case = {
  readonly what: string
  readonly path: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly status: number
  readonly kind: Kind
}

async function apiCases(fixture: Fixture): Promise<Case[]> {
  const { key } = await fixture.test()
  const authorization = `Bearer ${key}`
  return [
    { what: 'a call', path: '/v1/rates', headers: { authorization }, status: 200, kind: 'api' },
    { what: 'a call without a key', path: '/v1/rates', status: 401, kind: 'api' },
    { what: 'an unknown parameter', path: '/v1/rates?none=1', headers: { authorization }, status: 400, kind: 'api' },
    { what: 'an unknown path', path: '/v1/none', headers: { authorization }, status: 404, kind: 'api' },
    { what: 'a wrong method', path: '/v1/rates', method: 'DELETE', headers: { authorization }, status: 404, kind: 'api' },
    { what: 'the partner API', path: '/api/v1/rates', status: 401, kind: 'api' },
    { what: 'a tool call without a key', path: '/mcp', method: 'POST', status: 401, kind: 'api' },
    { what: 'a tool stream', path: '/mcp', headers: { authorization }, status: 405, kind: 'api' },
    { what: 'a Stripe event', path: '/api/stripe/webhook', status: 404, kind: 'api' },
    { what: 'health', path: '/healthz', status: 200, kind: 'api' },
    { what: 'readiness', path: '/readyz', status: 200, kind: 'api' },
    { what: 'the OpenAPI document', path: '/api/developer/openapi.json', status: 200, kind: 'open document' },
    { what: 'a POST to a document', path: '/api/developer/openapi.json', method: 'POST', status: 405, kind: 'api' },
    { what: 'security.txt', path: '/.well-known/security.txt', status: 200, kind: 'document' },
  ]
}

async function pageCases(fixture: Fixture): Promise<Case[]> {
  const [row] = await fixture.sql<{ slug: string }>(`SELECT slug FROM provider WHERE dataset = 'live' AND colour IS NOT NULL LIMIT 1`)
  const { text } = await fixture.raw('GET', '/')
  const [script = ''] = text.match(/\/_next\/static\/[^"]+\.js/) ?? []
  return [
    { what: 'a page', path: '/', status: 200, kind: 'page' },
    { what: 'an unknown page', path: '/none', status: 404, kind: 'page' },
    { what: 'a redirect', path: '/portal', status: 307, kind: 'page' },
    { what: 'a page as Markdown', path: '/docs/prices.md', status: 200, kind: 'page' },
    { what: 'the feed', path: '/changelog.xml', status: 200, kind: 'page' },
    { what: 'a file', path: script, status: 200, kind: 'page' },
    { what: 'an unknown file', path: '/_next/static/none.js', status: 404, kind: 'page' },
    { what: 'a portal API call', path: '/api/trpc/none', status: 404, kind: 'page' },
    { what: 'a logo', path: `/logos/live/${row?.slug}.svg`, status: 200, kind: 'drawing' },
  ]
}

function expectHeaders(name: string, headers: Headers, kind: Kind): void {
  expect([name, headers.get('x-content-type-options')]).toEqual([name, 'nosniff'])
  for (const header of ['x-powered-by', 'server', 'x-aspnet-version']) expect([name, header, headers.get(header)]).toEqual([name, header, null])
  expect([name, headers.get('access-control-allow-origin')]).toEqual([name, kind === 'open document' ? '*' : null])
  expect([name, headers.get('access-control-allow-credentials')]).toEqual([name, null])
  expect([name, headers.get('strict-transport-security')]).toEqual([name, 'max-age=31536000'])
  expect([name, headers.get('referrer-policy')]).toEqual([name, expect.stringMatching(/^(?:no-referrer|strict-origin-when-cross-origin)$/)])
  if (kind === 'api' || kind === 'document' || kind === 'open document') {
    expect([name, headers.get('content-security-policy')]).toEqual([name, expect.stringContaining("frame-ancestors 'none'")])
    return
  }
  expect([name, headers.get('x-frame-options')]).toEqual([name, 'DENY'])
  expect([name, headers.get('permissions-policy')]).toEqual([name, expect.stringContaining('camera=()')])
  expect([name, headers.get('cross-origin-opener-policy')]).toEqual([name, 'same-origin'])
  expect([name, headers.get('content-security-policy')]).toEqual([
    name,
    expect.stringMatching(kind === 'page' ? /frame-ancestors 'none'/ : /^default-src 'none'/),
  ])
}

onEachMount((fixture) => {
  test('sends security headers with every kind of response, and does not reveal the server software', async () => {
    const cases = [...(await apiCases(fixture)), ...(fixture.mount === 'next' ? await pageCases(fixture) : [])]
    for (const { what, path, method = 'GET', headers = {}, status, kind } of cases) {
      const answer = await fixture.raw(method, path, headers)
      expect([what, answer.status]).toEqual([what, status])
      expectHeaders(what, answer.headers, kind)
      // No API response may be stored by shared caches.
      if (kind === 'api') expect([what, answer.headers.get('cache-control') ?? 'no-store']).toEqual([what, expect.stringMatching(/no-store|private/)])
    }
  })
})

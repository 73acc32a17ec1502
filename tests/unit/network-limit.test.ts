import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NetworkLimit } from '#server/api/http/network-limit.ts'

/** Fake response that records the status and headers it was sent with. */
class FakeResponse extends EventEmitter {
  status = 0
  headers: Record<string, unknown> = {}
  writeHead(status: number, headers: Record<string, unknown>): void {
    this.status = status
    this.headers = headers
  }
  end(): void {
    this.emit('close')
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Sends requests through a limit. Accepted requests stay open until `finish` is called. */
function limited(perMinute: number) {
  const open: FakeResponse[] = []
  const handle = new NetworkLimit(perMinute).over((_request, response) => open.push(response as unknown as FakeResponse))
  const ask = (address: string, url = '/', thenMs = 500, sent: Pick<IncomingMessage, 'method' | 'headers'> = { headers: {} }) => {
    const response = new FakeResponse()
    handle({ url, ...sent } as IncomingMessage, response as unknown as ServerResponse, address)
    vi.advanceTimersByTime(thenMs)
    return response
  }
  const finish = () => {
    for (const response of open.splice(0)) response.end()
  }
  return { ask, finish, open }
}

test('allows the pages of a whole minute in one burst, then returns 429 with Retry-After', () => {
  const { ask, finish } = limited(3)
  for (let turn = 0; turn < 3; turn++) {
    expect(ask('203.0.113.7').status).toBe(0)
    finish()
  }
  const over = ask('203.0.113.7')
  expect([over.status, over.headers['Retry-After']]).toEqual([429, 20])
  expect(ask('203.0.113.8').status).toBe(0)
})

test('counts an IPv6 /64 as one network', () => {
  const { ask, finish } = limited(1)
  expect(ask('2001:db8:1:2::1').status).toBe(0)
  finish()
  expect([ask('2001:db8:1:2::2').status, ask('2001:db8:1:3::1').status]).toEqual([429, 0])
})

test('counts a tRPC POST as one page, or as five without a session cookie', () => {
  const { ask, finish } = limited(10)
  const post = (address: string, cookie: string) => {
    const { status } = ask(address, '/api/trpc/keys.create', 500, { method: 'POST', headers: { cookie } })
    finish()
    return status
  }
  const statuses = (address: string, cookie: string, times: number) => Array.from({ length: times }, () => post(address, cookie))
  expect(statuses('203.0.113.7', 'theme=dark', 3)).toEqual([0, 0, 429])
  const withSlash = () => ask('203.0.113.9', '/api/trpc/keys.create/', 500, { method: 'POST', headers: {} }).status
  expect([withSlash(), withSlash(), withSlash()]).toEqual([0, 0, 429])
  const signedIn = statuses('203.0.113.8', 'theme=dark; __Host-svc.session=abc', 11)
  expect([signedIn.indexOf(429), signedIn.length]).toEqual([10, 11])
  const over = ask('203.0.113.7', '/api/trpc/keys.create', 500, { method: 'POST', headers: {} })
  expect(over.headers['Retry-After']).toBe(30)
})

test('counts 50 files or ten logos as one page', () => {
  const { ask, finish } = limited(2)
  for (let turn = 0; turn < 50; turn++) {
    expect(ask('203.0.113.7', '/_next/static/chunks/a.js').status).toBe(0)
    finish()
  }
  expect([ask('203.0.113.7').status, ask('203.0.113.7').status]).toEqual([0, 429])
  for (let turn = 0; turn < 20; turn++) {
    expect(ask('203.0.113.8', '/logos/live/x.svg').status).toBe(0)
    finish()
  }
  expect(ask('203.0.113.8', '/logos/live/x.svg').status).toBe(429)
})

test('counts five portal calls as one page, and does not count API calls', () => {
  const { ask, finish } = limited(1)
  for (let turn = 0; turn < 5; turn++) expect(ask('203.0.113.7', '/api/trpc/keys.list').status).toBe(0)
  finish()
  expect([ask('203.0.113.7', '/api/trpc/keys.list').status, ask('203.0.113.7', '/v1/rates').status]).toEqual([429, 0])
})

test('handles eight page requests per network concurrently, queues 24, and returns 429 for the rest', () => {
  const { ask, finish, open } = limited(600)
  for (let turn = 0; turn < 32; turn++) expect(ask('203.0.113.7', '/', 0).status).toBe(0)
  expect(open).toHaveLength(8)
  expect(ask('203.0.113.7').status).toBe(429)
  finish()
  expect(open).toHaveLength(8)
  expect(ask('203.0.113.7').status).toBe(0)
})

test('handles 64 concurrent page requests across all networks, and returns 503 to any that waited 10 seconds', () => {
  const { ask, finish, open } = limited(600)
  for (let turn = 0; turn < 64; turn++) ask(`203.0.113.${turn % 8}`)
  const early = ask('203.0.113.9')
  vi.advanceTimersByTime(9_000)
  expect([open.length, early.status]).toEqual([64, 0])
  vi.advanceTimersByTime(1_000)
  expect([early.status, early.headers['Retry-After']]).toEqual([503, 2])
  const later = ask('203.0.113.9')
  finish()
  expect(open).toEqual([later])
})

test.each([
  '/logos/x',
  '/logos/live/x',
  '/card-images/x',
  '/logos/live/x.svg/y',
  '/_next/static/',
  '/api/foo',
  '/api/auth/a/b/c',
  '/api/developer/openapi.json',
  '/api/developer/postman.json?x',
  '/mcp/x',
])('counts %s as a page', (url) => {
  const { ask, finish } = limited(1)
  ask('203.0.113.7', url)
  finish()
  expect(ask('203.0.113.7', '/_next/static/chunks/a.js').status).toBe(429)
})

test('counts images and portal calls as less than a page', () => {
  const { ask, finish } = limited(1)
  for (const url of [
    '/logos/live/x.svg?v=1',
    '/card-images/demo/x.svg',
    '/api/trpc/keys.list,me.read?batch=1',
    '/api/auth/callback/oidc?code=x',
    '/api/search?q=x',
  ]) {
    expect(ask('203.0.113.7', url).status).toBe(0)
    finish()
  }
})

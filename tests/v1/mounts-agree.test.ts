import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anyHeaders, anyMethod, anyPath, anyQuery, runs } from './support/arbitraries.ts'
import { type ApiAnswer, type Caller, Stage } from './support/stage.ts'

/** One handler, two thin mounts: whatever is asked, both give the same answer. Each has a copy of the same database. */
const lean = new Stage('lean')
const next = new Stage('next')
const plenty = { credits: 10_000_000, perMinute: 1_000_000, perDay: 10_000_000 }

let onLean: Caller
let onNext: Caller

beforeAll(async () => {
  await Promise.all([lean.open(), next.open()])
  onLean = await lean.live(plenty)
  onNext = await next.live(plenty)
})

afterAll(() => Promise.all([lean.close(), next.close()]))

/** What has to agree: everything but the moment, the request id and what one account has used up so far. */
function facts({ status, headers, body }: ApiAnswer): object {
  const named = [
    'content-type',
    'allow',
    'etag',
    'cache-control',
    'www-authenticate',
    'x-svc-credits-charged',
    'x-svc-limit-reduced',
    'x-svc-idempotent-replay',
    'x-ratelimit-limit',
    'location',
  ]
  const { requestId: _id, balance: _balance, meta, data, ...error } = body ?? {}
  const isAboutCaller = data !== undefined && ('requestId' in data || 'usage' in data)
  return {
    status,
    headers: Object.fromEntries(named.filter((name) => !(isAboutCaller && name === 'etag')).map((name) => [name, headers.get(name)])),
    error,
    // The tag is over the data, so they need not be compared as well.
    data: isAboutCaller ? Object.keys(data) : JSON.stringify(data)?.length,
    paging: meta && [meta.limit, meta.nextCursor, meta.sample, meta.creditsCharged],
  }
}

async function expectAgreement(method: string, target: string, headers: Record<string, string> = {}): Promise<void> {
  const [a, b] = await Promise.all([
    lean.raw(method, target, { authorization: `Bearer ${onLean.key}`, ...headers }),
    next.raw(method, target, { authorization: `Bearer ${onNext.key}`, ...headers }),
  ])
  expect(facts(b), `${method} ${target}`).toEqual(facts(a))
}

test('on any query', { timeout: 60_000 }, async () => {
  const paths = fc.constantFrom('/rates', '/reference/products', '/reference/account-types', '/ping', '/me', '/none')
  await fc.assert(
    fc.asyncProperty(paths, anyQuery, (path, query) => expectAgreement('GET', `/v1${path}?${query}`)),
    runs(300),
  )
})

test('on any path and method', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(anyMethod, anyPath, (method, path) => expectAgreement(method, `/v1${path}`)),
    runs(300),
  )
})

test('on any headers', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('/rates?limit=2', '/reference/currencies', '/ping'), anyHeaders, (path, headers) =>
      expectAgreement('GET', `/v1${path}`, headers),
    ),
    runs(300),
  )
})

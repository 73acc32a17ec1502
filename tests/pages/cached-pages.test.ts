/** Tests that public pages are served from memory, to everyone alike. The service runs its pages in a separate process, as `npm start` does. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { call } from '../support/accounts.ts'

const fixture = portalFixture()

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') => fetch(fixture.origin + path, { method, headers, redirect: 'manual' })

const getText = async (path: string, headers: Record<string, string> = {}) => (await get(path, headers)).text()

/** Sends a request without fetch, which decodes bodies and adds headers. */
const getRaw = async (path: string, headers: Record<string, string>) => {
  const { request } = await import('node:http')
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve, reject) => {
    const sent = request(fixture.origin + path, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

test('returns 304 while the page is unchanged, with the Content-Security-Policy of the stored page', async () => {
  const first = await get('/docs/limits')
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^W\/"[\w-]{20,}"$/)
  await first.arrayBuffer()
  for (const sent of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
    const again = await get('/docs/limits', { 'if-none-match': sent })
    expect([sent, again.status, await again.text()]).toEqual([sent, 304, ''])
    expect(again.headers.get('content-security-policy')).toBe(first.headers.get('content-security-policy'))
    expect([again.headers.get('etag'), again.headers.get('content-type')]).toEqual([etag, null])
  }
  expect((await get('/docs/limits', { 'if-none-match': '"other"' })).status).toBe(200)
})

test('sends Brotli, gzip or uncompressed content, as the browser prefers, and the same content in each', async () => {
  const plain = await getRaw('/docs/limits', { 'accept-encoding': 'identity' })
  const bodies = { br: brotliDecompressSync, gzip: gunzipSync }
  for (const [encoding, decode] of Object.entries(bodies)) {
    const { headers, body } = await getRaw('/docs/limits', { 'accept-encoding': encoding })
    expect([headers['content-encoding'], headers['content-length']]).toEqual([encoding, String(body.length)])
    expect(decode(body).equals(plain.body)).toBe(true)
    expect(headers['vary']).toContain('Accept-Encoding')
  }
  expect((await getRaw('/docs/limits', { 'accept-encoding': 'gzip, deflate, br, zstd' })).headers['content-encoding']).toBe('br')
  expect((await getRaw('/docs/limits', { 'accept-encoding': 'br;q=0, gzip' })).headers['content-encoding']).toBe('gzip')
  expect((await getRaw('/docs/limits', { 'accept-encoding': 'zstd' })).headers['content-encoding']).toBeUndefined()
})

test('responds to HEAD with the headers of GET and no body', async () => {
  const [whole, head] = [await get('/docs'), await get('/docs', {}, 'HEAD')]
  expect([head.status, await head.text()]).toEqual([200, ''])
  for (const name of ['etag', 'content-type', 'content-length', 'content-security-policy', 'cache-control', 'vary'])
    expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)])
  await whole.arrayBuffer()
})

test('caches each theme separately', async () => {
  const themes = { dark: /<html[^>]* data-theme="dark"/, light: /<html[^>]* data-theme="light"/ }
  for (let round = 0; round < 2; round++) {
    expect(await getText('/docs/webhooks')).not.toMatch(/<html[^>]* data-theme/)
    for (const [theme, expected] of Object.entries(themes)) expect(await getText('/docs/webhooks', { cookie: `theme=${theme}` })).toMatch(expected)
  }
})

test("sends signed-in readers the same page as everyone else, and sets a cookie for the page's script while the session lasts", async () => {
  const { visitor, email } = await fixture.member()
  for (const path of ['/', '/docs', '/status', '/changelog', '/docs/prices']) {
    const mine = await visitor.send(path)
    const theirs = await get(path)
    expect([path, mine.headers.get('etag')]).toEqual([path, theirs.headers.get('etag')])
    expect([await mine.text(), theirs.headers.getSetCookie()]).toEqual([await theirs.text(), []])
  }
  expect(visitor.cookies.get('svc.signed-in')).toBe('1')
  expect(await getText('/docs', { cookie: 'svc.session=forged' })).not.toContain(email)
  // Without a session cookie, the response deletes the svc.signed-in cookie.
  for (const name of visitor.cookies.keys()) if (name.endsWith('svc.session')) visitor.cookies.delete(name)
  await (await visitor.send('/docs')).arrayBuffer()
  expect(visitor.cookies.has('svc.signed-in')).toBe(false)
})

test('never stores responses to calls, searches and unknown parameters, the sign-in page or 404s', async () => {
  for (const path of [
    '/reference/service-ping?send=1',
    '/reference/rates-list?limit=2',
    '/docs/search?q=rates',
    '/?utm=1',
    '/sign-in',
    '/nothing-here',
    '/products/nothing-here',
  ]) {
    const { headers } = await get(path)
    expect([path, headers.get('etag'), headers.get('cache-control')]).toEqual([path, null, expect.stringContaining('no-store')])
  }
})

test("does not reflect a hostile query or host into another reader's page", async () => {
  await Promise.all(
    ['/?type=<script>', '/docs?x=%3Cimg%20onerror%3D1%3E', '/changelog?kind[]=added', '/?%00'].map((path) => get(path).then((one) => one.text())),
  )
  await (await getRaw('/docs', { host: 'evil.test' })).body
  for (const path of ['/', '/docs', '/changelog']) expect(await getText(path)).not.toMatch(/evil\.test|onerror|<script>(?!\()/)
  expect((await getRaw('/docs', { host: 'evil.test' })).body.toString()).toContain('http://evil.test/v1')
})

test('serves the first byte to a signed-in reader within 30 ms', async () => {
  const { visitor } = await fixture.member()
  await visitor.open('/docs')
  const times: number[] = []
  for (let round = 0; round < 30; round++) {
    const from = performance.now()
    const response = await visitor.send('/docs')
    times.push(performance.now() - from)
    await response.arrayBuffer()
  }
  // Only the fastest third counts, because other tests use the same processors.
  expect(times.toSorted((a, b) => a - b)[9]).toBeLessThan(30)
})

test('keeps serving API calls while pages are requested', async () => {
  const pages = Promise.all(Array.from({ length: 200 }, () => getText('/')))
  expect((await call(`${fixture.origin}/v1`, '/ping', null)).status).toBe(401)
  expect(new Set(await pages).size).toBeLessThanOrEqual(2)
})

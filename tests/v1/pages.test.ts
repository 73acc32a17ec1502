/** Tests pages as browsers receive them: from Next, behind our own listener. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorCodes } from '#server/api/contract/errors.ts'
import { Fixture } from './support/fixture.ts'

const fixture = new Fixture('next')
let paths: string[] = []

/** Returns the paths of all built pages without path parameters. Without a session, portal pages redirect to the sign-in page and admin pages return 404. */
function builtPages(): string[] {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../.next/app-path-routes-manifest.json'), 'utf8')) as Record<string, string>
  const pages = Object.entries(manifest).filter(([file]) => file.endsWith('/page'))
  return pages.map(([, path]) => path).filter((path) => !/\[|^\/_|^\/dev\/|^\/admin(?:\/|$)/.test(path))
}

beforeAll(async () => {
  await fixture.open()
  paths = [...builtPages(), '/?type=cash-isa', `/docs/errors/${errorCodes[0]}`, `/products/${await fixture.productKey()}`]
})

afterAll(() => fixture.close())

/** Paths that return 404. The last one exists only in development. */
const missing = ['/none', '/products/none', '/docs/errors/none', '/_next/none', '/admin', '/admin/none', '/dev/mail']

async function get(path: string, headers: Record<string, string> = {}): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(fixture.service.origin + path, { headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const getPolicy = (headers: Headers): string => headers.get('content-security-policy') ?? ''

const getNonce = (headers: Headers): string => /'nonce-([^']+)'/.exec(getPolicy(headers))?.[1] ?? 'no nonce'

/** Returns the scripts and styles of a document that its Content-Security-Policy would block. */
function blocked(html: string, headers: Headers): string[] {
  const [policy, nonce] = [getPolicy(headers), getNonce(headers)]
  const isAllowed = (tag: string, code: string) => {
    const integrity = /\sintegrity="([^"]+)"/.exec(tag)?.[1] ?? `sha256-${hash('sha256', code, 'base64')}`
    return tag.includes(`nonce="${nonce}"`) || policy.includes(`'${integrity}'`) || /\snomodule=/i.test(tag)
  }
  const scripts = [...html.matchAll(/(<script\b[^>]*>)([\s\S]*?)<\/script>/g)].flatMap(([, tag = '', code = '']) => (isAllowed(tag, code) ? [] : [tag]))
  const styles = (html.match(/<style\b[^>]*>/g) ?? []).filter((tag) => !tag.includes(`nonce="${nonce}"`))
  return [...scripts, ...styles, ...(html.match(/<[a-z][^>]*\son[a-z]+="/g) ?? [])]
}

describe('every page, including an unknown one', () => {
  test('has security headers', async () => {
    for (const path of [...paths, ...missing]) {
      const { headers, status } = await get(path)
      expect(missing.includes(path) ? [404] : [200, 303, 307], path).toContain(status)
      expect(headers.get('content-security-policy'), path).toMatch(
        /^default-src 'self'; script-src 'self' (?:'nonce-[^']+'|(?:'sha256-[^']+' ?)+) 'strict-dynamic'; .*frame-ancestors 'none'/,
      )
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
      // Reset and confirmation URLs contain a token that must not leak to other sites, but the forms must send an Origin.
      const holdsToken = path.startsWith('/reset') || path.startsWith('/confirm')
      expect(headers.get('referrer-policy'), path).toBe(holdsToken ? 'same-origin' : 'strict-origin-when-cross-origin')
      expect(headers.get('permissions-policy'), path).toContain('camera=()')
      expect(headers.get('strict-transport-security'), path).toBe('max-age=31536000')
      expect(headers.get('x-powered-by'), path).toBeNull()
    }
    // Needs a long timeout, because the first test renders every page for the first time.
  }, 60_000)

  test('has no script or style that its Content-Security-Policy blocks', async () => {
    for (const path of [...paths, ...missing.filter((one) => !one.startsWith('/_next'))]) {
      const { text, headers, status } = await get(path)
      if (status === 200) expect(text.match(/<script\b/g)?.length, path).toBeGreaterThan(3)
      expect([path, blocked(text, headers)]).toEqual([path, []])
    }
  })

  test('has a unique nonce, or hashes of its scripts, regardless of request headers', async () => {
    const sent = "script-src 'nonce-mine' 'sha256-mine'"
    const rendered = await Promise.all(['/sign-in', '/sign-in', '/?a=1', '/?a=1'].map((path) => get(path, { 'content-security-policy': sent })))
    expect(new Set(rendered.map(({ headers }) => getNonce(headers))).size).toBe(4)
    const shared = await Promise.all(['/', '/', '/docs/prices', '/docs/prices'].map((path) => get(path, { 'content-security-policy': sent })))
    expect(shared.map(({ headers }) => getNonce(headers))).toEqual(Array(4).fill('no nonce'))
    for (const { text, headers } of [...rendered, ...shared]) expect(`${getPolicy(headers)} ${text}`).not.toMatch(/mine['"]/)
  })

  test('is not stored by shared caches, nor by browsers if its nonce is per response', async () => {
    for (const path of paths) {
      const { status, headers } = await get(path)
      const expected = getNonce(headers) === 'no nonce' ? 'private, no-cache' : 'no-store'
      if (status === 200) expect(headers.get('cache-control'), path).toContain(expected)
    }
  })
})

test('compresses pages, static files and API responses if the client supports it', async () => {
  const { text } = await get('/')
  const [script = ''] = text.match(/\/_next\/static\/[^"]+\.js/) ?? []
  for (const path of ['/', '/docs/prices', script]) {
    expect([path, (await get(path, { 'accept-encoding': 'br' })).headers.get('content-encoding')]).toEqual([path, 'br'])
    expect([path, (await get(path, { 'accept-encoding': 'gzip' })).headers.get('content-encoding')]).toEqual([path, 'gzip'])
    const plain = await get(path, { 'accept-encoding': 'identity' })
    expect([path, plain.headers.get('content-encoding')]).toEqual([path, null])
    expect(plain.headers.get('vary'), path).toContain('Accept-Encoding')
  }
  const { key } = await fixture.test()
  const answer = await fixture.raw('GET', '/v1/reference/account-types', { authorization: `Bearer ${key}`, 'accept-encoding': 'br, gzip' })
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'br'])
  expect(answer.headers.get('content-security-policy')).toBe("frame-ancestors 'none'")
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
})

test('blocks scripts in an image opened directly', async () => {
  const [row] = await fixture.sql<{ slug: string }>(`SELECT slug FROM provider WHERE dataset = 'live' AND colour IS NOT NULL LIMIT 1`)
  const [card] = await fixture.sql<{ key: string }>(`SELECT source_key AS key FROM card WHERE dataset = 'live' LIMIT 1`)
  for (const path of [`/logos/live/${row?.slug}.svg`, `/card-images/live/${card?.key}.svg`]) {
    const { status, headers } = await get(path)
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'image/svg+xml'])
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  expect((await get('/logos/live/none.svg')).status).toBe(404)
})

test('health endpoints send X-Content-Type-Options: nosniff', async () => {
  for (const path of ['/healthz', '/readyz']) expect((await get(path)).headers.get('x-content-type-options'), path).toBe('nosniff')
})

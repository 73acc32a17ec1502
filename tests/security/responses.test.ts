import { afterAll, beforeAll, expect, test } from 'vitest'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { Fixture } from '../v1/support/fixture.ts'

const fixture = new Fixture('next')
beforeAll(() => fixture.open())
afterAll(() => fixture.close())

const portal = portalFixture()

const get = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(fixture.service.origin + path, { redirect: 'manual', ...init })
  return { status: response.status, type: response.headers.get('content-type'), headers: response.headers, text: await response.text() }
}

test('sets the content type of every response with a body, and the charset if it is text', async () => {
  const { key } = await fixture.test()
  const authorization = `Bearer ${key}`
  const [logo] = await fixture.sql<{ slug: string }>(`SELECT slug FROM provider WHERE dataset = 'live' AND colour IS NOT NULL LIMIT 1`)
  const { text: home } = await get('/')
  const expected: readonly (readonly [path: string, type: RegExp, init?: RequestInit])[] = [
    ['/', /^text\/html; charset=utf-8$/],
    ['/none', /^text\/html; charset=utf-8$/],
    ['/docs/prices.md', /^text\/markdown; charset=utf-8$/],
    ['/llms.txt', /^text\/plain; charset=utf-8$/],
    ['/changelog.xml', /^application\/atom\+xml; charset=utf-8$/],
    ['/v1/rates', /^application\/json(?:; charset=utf-8)?$/, { headers: { authorization } }],
    ['/v1/rates', /^application\/json(?:; charset=utf-8)?$/],
    ['/v1/none', /^application\/json(?:; charset=utf-8)?$/, { headers: { authorization } }],
    ['/mcp', /^application\/json(?:; charset=utf-8)?$/, { method: 'POST' }],
    ['/api/developer/openapi.json', /^application\/json(?:; charset=utf-8)?$/],
    ['/api/trpc/none', /^application\/json(?:; charset=utf-8)?$/],
    ['/healthz', /^application\/json(?:; charset=utf-8)?$/],
    [`/logos/live/${logo?.slug}.svg`, /^image\/svg\+xml$/],
    [/\/_next\/static\/[^"]+\.js/.exec(home)?.[0] ?? '', /^application\/javascript; charset=utf-8$/i],
    [/\/_next\/static\/[^"]+\.css/.exec(home)?.[0] ?? '', /^text\/css; charset=utf-8$/i],
  ]
  for (const [path, type, init] of expected) {
    const answer = await get(path, init)
    expect([path, answer.text.length > 0]).toEqual([path, true])
    expect([path, answer.type]).toEqual([path, expect.stringMatching(type)])
  }
})

test('does not serve source, settings or version-control files', async () => {
  const files = ['.git/HEAD', '.git/config', '.svn/entries', '.env', '.data/secret', '.data/demo.json', 'package.json', 'package-lock.json', 'server/env.ts']
  const ways = ['/', '/_next/', '/_next/static/', '/_next/static/../../', '/_next/static/..%2f..%2f', '/docs/', '/logos/live/../../', '/logos/live/..%2f..%2f']
  for (const way of ways) {
    for (const file of files) {
      const { status, text } = await get(way + file)
      expect([way + file, status >= 400 || (status >= 300 && text === '')]).toEqual([way + file, true])
      expect(text, way + file).not.toMatch(/ref: refs\/|\[core\]|"lockfileVersion"|"dependencies":|process\.env/)
    }
  }
})

test('does not list directories', async () => {
  for (const path of ['/_next', '/_next/', '/_next/static', '/_next/static/', '/_next/static/chunks/', '/logos/', '/logos/live/', '/card-images/']) {
    const { status, text } = await get(path)
    expect([path, status]).toEqual([path, expect.toBeOneOf([307, 308, 404])])
    expect(text, path).not.toMatch(/Index of|<a href="[^"]*\.js"/)
  }
})

test('sets the file names of downloads regardless of the URL', async () => {
  const { visitor } = await portal.member()
  const month = new Date().toISOString().slice(0, 7)
  for (const file of ['ledger.csv', 'ledger.json']) {
    const response = await visitor.send(`/portal/billing/statements/${month}/${file}`)
    await response.body?.cancel()
    if (response.status !== 200) expect.unreachable(`${file} ${response.status}`)
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z0-9.-]+"$/)
  }
  for (const file of ['x%22;filename=evil.html', '..%2f..%2fsecret', 'ledger.html', 'a%0d%0ab.csv']) {
    const response = await visitor.send(`/portal/billing/statements/${month}/${file}`)
    await response.body?.cancel()
    expect([file, response.status]).toEqual([file, 404])
    expect(response.headers.get('content-disposition')).toBeNull()
  }
  const usage = await visitor.send('/portal/usage/csv?from=2026-11-01%22;x=y&to=..%2f')
  await usage.body?.cancel()
  expect(usage.headers.get('content-disposition') ?? 'attachment; filename="none"').toMatch(/^attachment; filename="[a-z0-9.-]+"$/)
})

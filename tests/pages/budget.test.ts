/** Checks the gzipped size of the scripts and styles that a first visit loads. Their names come from the pages, their sizes from the build output. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { adminPages } from '#components/admin/admin-pages.ts'
import { portalPages } from '#components/portal/portal-pages.ts'
import type { AuthContext } from '#server/auth/auth-context.ts'
import { type CookieClaims, type CookieKind, makeCookie } from '#server/auth/cookies.ts'
import { switchWebhooks } from '#server/webhooks/access.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getData, type Visitor } from '../portal/support/visitor.ts'
import { call } from '../support/accounts.ts'
import { authSecret } from '../support/service-process.ts'

const fixture = portalFixture()

const kilobyte = 1_000
const root = join(import.meta.dirname, '../..')
const sizes = new Map<string, number>()

function getSize(address: string): number {
  const known = sizes.get(address)
  if (known !== undefined) return known
  const size = gzipSync(readFileSync(join(root, address.replace(/^\/_next\//, '.next/').split('?')[0] ?? '')), { level: 9 }).length
  sizes.set(address, size)
  return size
}

async function firstLoad(path: string, visitor: Visitor = fixture.visitor()): Promise<{ scripts: number; styles: number; fonts: string[] }> {
  const response = await visitor.send(path)
  expect([path, response.status]).toEqual([path, path === '/no-such-page' ? 404 : 200])
  const html = await response.text()
  // Skip scripts for old browsers.
  const tags = [...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag).filter((tag) => !/\bnomodule\b/i.test(tag))
  const scripts = tags.flatMap((tag) => / src="([^"]+)"/.exec(tag)?.[1] ?? [])
  const styles = [...html.matchAll(/<link\b[^>]*rel="stylesheet"[^>]*>/g)].flatMap(([tag]) => / href="([^"]+)"/.exec(tag)?.[1] ?? [])
  const fonts = [...(response.headers.get('link') ?? '').matchAll(/<([^>]+)>; rel=preload; as="font"/g)].flatMap(([, address]) => address ?? [])
  const sum = (addresses: readonly string[]) => [...new Set(addresses)].reduce((total, address) => total + getSize(address), 0)
  return { scripts: sum(scripts), styles: sum(styles), fonts: [...new Set(fonts)] }
}

/** Sign-up and sign-in pages. They load the procedure client only when a field is first focused. */
const signUpKilobytes = 149
const portalKilobytes = 260

const budgets: readonly { group: string; kilobytes: number; paths: readonly string[] }[] = [
  {
    group: 'public',
    kilobytes: 147,
    paths: [
      '/',
      '/docs',
      '/docs/webhooks',
      '/docs/prices',
      '/docs/errors/not_found',
      '/docs/search?q=rates',
      '/changelog',
      '/licence/v2026-09',
      '/status',
      '/licence',
      '/terms',
      '/help',
      '/privacy',
      '/products/brindlequay-cash-isa-84f2',
      '/providers/brindlequay',
      '/no-such-page',
    ],
  },
  { group: 'sign-up, sign-in and reset', kilobytes: signUpKilobytes, paths: ['/sign-in', '/sign-up', '/reset', '/reset/used', '/confirm/used'] },
  { group: 'reference', kilobytes: 154, paths: ['/reference', '/reference/rates-list', '/reference/assistant'] },
]

async function expectWithin(kilobytes: number, paths: readonly string[], visitor?: Visitor): Promise<void> {
  for (const path of paths) {
    const { scripts, styles } = await firstLoad(path, visitor)
    // Even an empty Next page is larger than this, so a smaller size would mean that nothing was measured.
    expect(scripts, path).toBeGreaterThan(100 * kilobyte)
    expect(scripts / kilobyte, path).toBeLessThanOrEqual(kilobytes)
    expect(styles, path).toBeGreaterThan(2 * kilobyte)
    expect(styles / kilobyte, path).toBeLessThanOrEqual(18)
  }
}

test.each(budgets)('$group pages load at most $kilobytes kB of scripts and 18 kB of styles', ({ kilobytes, paths }) => expectWithin(kilobytes, paths))

/** Returns a visitor whose cookies say that a sign-in or sign-up is in progress. */
async function halfway<Kind extends CookieKind>(kind: Kind, claims: CookieClaims[Kind]): Promise<Visitor> {
  const visitor = fixture.visitor()
  const { name, value } = await makeCookie({ publicUrl: fixture.origin, secret: authSecret } as AuthContext, kind, claims)
  visitor.cookies.set(name, value)
  return visitor
}

test('pages shown during sign-in and sign-up stay within their budgets', async () => {
  const email = 'person@example.test'
  const profile = { issuer: 'https://id.example.test', subject: 'person', email, isEmailVerified: true, name: '' }
  await expectWithin(signUpKilobytes, ['/sign-up/check-email'], await halfway('sign-up', { account: 'acc_0', email }))
  await expectWithin(signUpKilobytes, ['/sign-up/finish'], await halfway('provider-sign-up', { profile }))
  await expectWithin(signUpKilobytes, ['/sign-in/code'], await halfway('code', { account: 'acc_0', version: 1, next: '/portal' }))
})

/** Creates a request and a payment. Returns the paths of their pages, and of the statement and top-up pages. */
async function createEntityPages({ visitor, id }: { visitor: Visitor; id: number }): Promise<string[]> {
  const key = getData(
    await visitor.call('keys.create', 'mutation', { mode: 'test', name: 'Trial', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }),
  ).key
  const { headers } = await call(`${fixture.origin}/v1`, '/rates?limit=1', key)
  const request = `/portal/requests/${headers.get('x-svc-request-id')}`
  await expect.poll(async () => (await visitor.open(request)).status, { timeout: 10_000 }).toBe(200)
  await fixture.sql(
    "INSERT INTO top_up (public_id, account_id, purchase_key, origin, mode, amount_pence, credits) VALUES ('top_0', $1, 'top_0', 'checkout', 'simulated', 500, 50)",
    [id],
  )
  const statement = `/portal/billing/statements/${new Date().toISOString().slice(0, 7)}`
  return [request, statement, '/portal/billing/top-ups/top_0', '/portal/billing/return?topUp=top_0', '/portal/billing/top-up']
}

test(`signed-in portal pages load at most ${portalKilobytes} kB of scripts and 18 kB of styles`, async () => {
  const member = await fixture.member()
  const { visitor, email } = member
  const typed = { mode: 'live', name: 'A key', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }
  const { id } = getData(await visitor.call('keys.create', 'mutation', typed))
  await switchWebhooks(fixture, email, true)
  const webhook = { url: 'https://example.com/webhooks', description: '', types: ['rate.changed'], providers: '', accountTypes: [], minChange: '' }
  const endpoint = `/portal/webhooks/${getData(await visitor.call('webhooks.create', 'mutation', webhook)).id}`
  const sections = portalPages.map(({ href }) => href)
  await expectWithin(
    portalKilobytes,
    [
      ...sections,
      '/portal/welcome',
      '/portal/keys/new',
      `/portal/keys/${id}`,
      '/portal/licence',
      '/portal/webhooks/new',
      endpoint,
      `${endpoint}/edit`,
      ...(await createEntityPages(member)),
    ],
    visitor,
  )
})

test(`admin pages load at most ${portalKilobytes} kB of scripts and 18 kB of styles`, async () => {
  const { visitor, publicId } = await fixture.administrator()
  await expectWithin(portalKilobytes, [...adminPages.map(({ href }) => href), `/admin/accounts/${publicId}`], visitor)
})

test('preloads one self-hosted font', async () => {
  const { fonts } = await firstLoad('/docs')
  expect(fonts).toEqual([expect.stringMatching(/^\/_next\/static\/media\/.+\.woff2$/)])
})

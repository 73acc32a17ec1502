/** Tests responses to the callback from an organisation's provider, which its owner controls. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Member, PortalFixture } from '../portal/support/portal-fixture.ts'
import { linkSignIn } from '../portal/support/teams.ts'
import { clientId, type IdToken, TokenIssuer } from './support/token-issuer.ts'

const portal = new PortalFixture()
const provider = new TokenIssuer()
let owner: Member

/** Sets up single sign-on for a new account. The service hasn't cached its provider's discovery document yet. */
async function setUpOwner(): Promise<void> {
  owner = await portal.member()
  const saved = await owner.visitor.call('team.setSingleSignOn', 'mutation', { issuer: provider.issuer, clientId, clientSecret: 'a secret of the tests' })
  expect(saved.status).toBe(200)
  await linkSignIn(portal, owner, owner, 'somebody')
}

beforeAll(async () => {
  await provider.open()
  await portal.open({ NODE_ENV: '', WEBHOOKS_ALLOW_PRIVATE: 'true' })
  await setUpOwner()
})
afterAll(async () => {
  await portal.close()
  await provider.close()
})
beforeEach(() => {
  provider.instead.clear()
  provider.namedIssuer = null
})

const nowSeconds = () => Math.floor(Date.now() / 1_000)

type Change = (claims: Record<string, unknown>) => Partial<IdToken>

/** Signs in with an ID token that is valid except for one change. Returns the path of the last page. */
async function signIn(change: Change = () => ({})): Promise<string> {
  const visitor = portal.visitor()
  const page = await visitor.submitForm(await visitor.open(`/sign-in?organisation=${owner.publicId}`), 'Continue with single sign-on')
  const away = URL.parse(/http-equiv="refresh" content="0; url=([^"]+)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? '')
  if (away === null) return page.path
  const claims = { iss: provider.issuer, sub: 'somebody', aud: clientId, nonce: away.searchParams.get('nonce'), iat: nowSeconds(), exp: nowSeconds() + 60 }
  provider.next = { claims, ...change(claims) }
  return (await visitor.open(`/api/auth/callback/org-${owner.publicId}?code=any&state=${encodeURIComponent(away.searchParams.get('state') ?? '')}`)).path
}

const rejected = /^\/sign-in\?.*error=/

test('accepts a valid ID token', async () => {
  expect(await signIn()).toBe('/portal')
})

test.each<[string, Change]>([
  ['another audience', (claims) => ({ claims: { ...claims, aud: 'another client' } })],
  ['another issuer', (claims) => ({ claims: { ...claims, iss: 'https://accounts.google.com' } })],
  ['another nonce', (claims) => ({ claims: { ...claims, nonce: 'of another sign-in' } })],
  ['an expiry in the past', (claims) => ({ claims: { ...claims, exp: nowSeconds() - 60 } })],
  ['no subject', ({ sub: _, ...claims }) => ({ claims })],
  ['a subject that is not text', (claims) => ({ claims: { ...claims, sub: { startsWith: 'some' } } })],
  ['a subject that is too long', (claims) => ({ claims: { ...claims, sub: 'x'.repeat(300) } })],
  ['another subject', (claims) => ({ claims: { ...claims, sub: 'SOMEBODY' } })],
  ['a subject with NUL', (claims) => ({ claims: { ...claims, sub: 'some\0body' } })],
  ['the signature of another key', () => ({ key: 'other' })],
  ['no signature', () => ({ key: 'none' })],
  ['another algorithm in its header', () => ({ header: { alg: 'HS256' } })],
])('rejects an ID token with %s', async (_, change) => {
  expect(await signIn(change)).toMatch(rejected)
})

test('rejects a discovery document whose issuer has changed since single sign-on was set up', async () => {
  await setUpOwner()
  provider.namedIssuer = 'https://accounts.google.com'
  expect(await signIn()).toBe(`/sign-in?organisation=${owner.publicId}&error=provider`)
})

const tooLarge = (response: ServerResponse) => void response.end(JSON.stringify({ padding: 'x'.repeat(300 * 1_024) }))
const redirect = (response: ServerResponse) => void response.writeHead(302, { location: `${provider.issuer}/other` }).end()

test.each([
  ['/token', 'is too large', tooLarge],
  ['/token', 'redirects', redirect],
  ['/jwks', 'is too large', tooLarge],
  ['/jwks', 'redirects', redirect],
] as const)('rejects a sign-in if the response of %s %s', async (path, _, handle) => {
  provider.instead.set(path, handle)
  expect(await signIn()).toMatch(rejected)
  expect(portal.notices()).not.toContain('a secret of the tests')
})

test('aborts a sign-in if the token endpoint never completes its response', { timeout: 30_000 }, async () => {
  provider.instead.set('/token', (response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write(' '), 100)
    response.on('close', () => clearInterval(timer))
  })
  expect(await signIn()).toMatch(rejected)
})

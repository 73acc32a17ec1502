import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PortalFixture } from '../portal/support/portal-fixture.ts'
import type { Visitor } from '../portal/support/visitor.ts'
import { clientId, type IdToken, TokenIssuer } from './support/token-issuer.ts'

const portal = new PortalFixture()
const provider = new TokenIssuer()

beforeAll(() => portal.open(() => provider.open()))
afterAll(async () => {
  await portal.close()
  await provider.close()
})
beforeEach(() => {
  provider.namedIssuer = null
})

const nowSeconds = () => Math.floor(Date.now() / 1_000)

type Change = (claims: Record<string, unknown>) => Partial<IdToken>

/** Signs in with an ID token that is valid except for one change. Returns the path to which the browser is finally redirected. */
async function signIn(visitor: Visitor, change: Change = () => ({})): Promise<string> {
  const away = new URL((await visitor.submitForm(await visitor.open('/sign-in'), 'Continue with Example ID')).path)
  const claims = {
    iss: provider.issuer,
    sub: 'somebody',
    aud: clientId,
    nonce: away.searchParams.get('nonce'),
    iat: nowSeconds(),
    exp: nowSeconds() + 60,
    email: portal.newEmail(),
    email_verified: true,
  }
  provider.next = { claims, ...change(claims) }
  const state = encodeURIComponent(away.searchParams.get('state') ?? '')
  return (await visitor.open(`/api/auth/callback/oidc?code=any&state=${state}`)).path
}

const refused = /^\/sign-in\?.*error=/

test('accepts a valid ID token', async () => {
  expect(await signIn(portal.visitor())).toBe('/sign-up/finish')
})

test.each<[string, Change]>([
  ['another audience', (claims) => ({ claims: { ...claims, aud: 'another client' } })],
  ['another issuer', (claims) => ({ claims: { ...claims, iss: 'https://other.example' } })],
  ['another nonce', (claims) => ({ claims: { ...claims, nonce: 'of another sign-in' } })],
  ['no nonce', ({ nonce: _, ...claims }) => ({ claims })],
  ['an expiry in the past', (claims) => ({ claims: { ...claims, exp: nowSeconds() - 60 } })],
  ['no subject', ({ sub: _, ...claims }) => ({ claims })],
  ['the signature of another key', () => ({ key: 'other' })],
  ['no signature', () => ({ key: 'none' })],
  ['another algorithm in its header', () => ({ header: { alg: 'HS256' } })],
  [
    'a reference to another key in its header',
    () => ({ key: 'other', header: { jku: `${provider.issuer}/jwks`, x5u: `${provider.issuer}/x5u`, kid: undefined } }),
  ],
])('rejects an ID token with %s', async (_, change) => {
  const visitor = portal.visitor()
  expect(await signIn(visitor, change)).toMatch(refused)
  expect((await visitor.open('/portal')).path).toMatch(/^\/sign-in/)
})

test("rejects a discovery document with another issuer, even if the ID token's issuer matches it", async () => {
  provider.namedIssuer = 'https://other.example'
  expect(await signIn(portal.visitor(), (claims) => ({ claims: { ...claims, iss: 'https://other.example' } }))).toMatch(refused)
})

test("never sends the provider's tokens to the browser", async () => {
  const visitor = portal.visitor()
  const received: string[] = []
  const send = visitor.send.bind(visitor)
  visitor.send = async (path, init) => {
    const response = await send(path, init)
    received.push(JSON.stringify([...response.headers]), await response.clone().text())
    return response
  }
  expect(await signIn(visitor)).toBe('/sign-up/finish')
  await visitor.submitForm(await visitor.open('/sign-up/finish'), 'Create account', { licence: 'yes' })
  received.push(await (await visitor.send('/api/auth/session')).text())
  for (const text of received) expect(text).not.toMatch(/an access token|access_token|id_token/)
})

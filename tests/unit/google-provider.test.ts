import type { OAuthConfig } from 'next-auth/providers/oauth'
import { expect, test } from 'vitest'
import { authOptions } from '#server/auth/auth.ts'
import type { AuthContext } from '#server/auth/auth-context.ts'
import { readToken } from '#server/auth/cookies.ts'
import { readEnv } from '#server/env.ts'

const google = { GOOGLE_CLIENT_ID: 'portal.apps.example.test', GOOGLE_CLIENT_SECRET: 'a secret of Google' }

/** Returns the sign-in providers for these settings, by id. */
function getProviders(settings: Record<string, string>): Map<string, OAuthConfig<unknown>> {
  const { providers, publicUrl } = readEnv({ NODE_ENV: 'production', PUBLIC_URL: 'https://rates.example.test', ...settings })
  const deps = { providers, publicUrl, secret: 'a secret of the tests that is long enough' } as unknown as AuthContext
  return new Map(authOptions(deps).providers.map((provider) => [provider.id, provider as OAuthConfig<unknown>]))
}

test('configures Google for OpenID Connect: discovery, email scope, all checks', () => {
  const provider = getProviders(google).get('google')
  expect(provider).toMatchObject({
    id: 'google',
    name: 'Google',
    type: 'oauth',
    issuer: 'https://accounts.google.com',
    wellKnown: 'https://accounts.google.com/.well-known/openid-configuration',
    clientId: google.GOOGLE_CLIENT_ID,
    clientSecret: google.GOOGLE_CLIENT_SECRET,
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    authorization: { params: { scope: 'openid email profile' } },
  })
  expect(provider?.httpOptions?.timeout).toBeLessThanOrEqual(10_000)
})

test.each([
  [true, true],
  ['true', false],
  [1, false],
  [undefined, false],
])('with email_verified %o from Google, the email is confirmed: %o', async (email_verified, isEmailVerified) => {
  const provider = getProviders(google).get('google')
  const user = await provider?.profile?.(
    { iss: 'https://accounts.google.com', sub: '1084', email: 'ada@example.test', email_verified, name: 'A'.repeat(200) },
    {} as never,
  )
  expect(user).toEqual({
    id: '1084',
    profile: { issuer: 'https://accounts.google.com', subject: '1084', email: 'ada@example.test', isEmailVerified, name: 'A'.repeat(100) },
  })
})

test('offers Google sign-in only if both settings are set, and rejects one without the other', () => {
  expect(getProviders({}).has('google')).toBe(false)
  expect(() => getProviders({ GOOGLE_CLIENT_ID: google.GOOGLE_CLIENT_ID })).toThrow('GOOGLE_CLIENT_SECRET must be set as well')
})

test('accepts only session tokens in the format issued here', () => {
  const deps = { providers: { google: null, oidc: null }, publicUrl: 'https://rates.example.test', secret: 'any' } as unknown as AuthContext
  // tests/security/cookies.test.ts covers readToken.
  expect(authOptions(deps).jwt?.decode).toBe(readToken)
})

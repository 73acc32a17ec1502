import { expect, test } from 'vitest'
import { contentPolicy, newNonce, type PageSettings, pageHeaders } from '#server/runtime/content-policy.ts'

const noProviders = { google: null, oidc: null }
const deployed: PageSettings = { publicUrl: 'https://api.example.test', isDevelopment: false, providers: noProviders }
const onLaptop: PageSettings = { ...deployed, publicUrl: 'http://localhost:3000' }

function getPolicy(settings: PageSettings): Map<string, string> {
  return new Map(
    contentPolicy('abc', settings)
      .split('; ')
      .map((directive) => [directive.split(' ', 1)[0] ?? '', directive.split(' ').slice(1).join(' ')]),
  )
}

test('allows scripts only with the nonce, and forbids framing, plugins and other hosts', () => {
  const policy = getPolicy(deployed)
  expect(policy.get('script-src')).toBe("'self' 'nonce-abc' 'strict-dynamic'")
  expect(policy.get('style-src')).toBe("'self' 'nonce-abc'")
  expect(policy.get('frame-ancestors')).toBe("'none'")
  expect(policy.get('object-src')).toBe("'none'")
  expect(policy.get('base-uri')).toBe("'none'")
  expect(policy.get('default-src')).toBe("'self'")
  // Style attributes are the only inline content allowed without a nonce. They have a separate directive, which allows nothing else.
  expect([...policy].filter(([, sources]) => sources.includes('unsafe'))).toEqual([['style-src-attr', "'unsafe-inline'"]])
  expect(getPolicy({ ...deployed, isDevelopment: true }).get('script-src')).toContain("'unsafe-eval'")
})

test('allows forms to submit to this site, Stripe and the identity providers', () => {
  expect(getPolicy(deployed).get('form-action')).toBe("'self' https://checkout.stripe.com https://billing.stripe.com")
  const oidc = { issuer: 'https://id.example.test/realms/main', clientId: 'a', clientSecret: 'b', label: 'single sign-on' }
  expect(getPolicy({ ...deployed, providers: { ...noProviders, oidc } }).get('form-action')).toBe(
    "'self' https://checkout.stripe.com https://billing.stripe.com https://id.example.test",
  )
})

test('sends HSTS only if the public URL is HTTPS', () => {
  const named = (settings: PageSettings) => new Map(pageHeaders(settings))
  expect(named(deployed).get('Strict-Transport-Security')).toBe('max-age=31536000')
  expect(getPolicy(deployed).has('upgrade-insecure-requests')).toBe(true)
  expect(named(onLaptop).has('Strict-Transport-Security')).toBe(false)
  expect(getPolicy(onLaptop).has('upgrade-insecure-requests')).toBe(false)
})

test('generates nonces with 128 random bits', () => {
  const nonces = new Set(Array.from({ length: 1_000 }, newNonce))
  expect(nonces.size).toBe(1_000)
  for (const nonce of nonces) expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/)
})

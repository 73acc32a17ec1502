import { expect, test } from 'vitest'
import { contentPolicy, newNonce, type PageSettings, pageHeaders } from '#server/runtime/page-headers.ts'

const nobody = { google: null, oidc: null }
const deployed: PageSettings = { publicUrl: 'https://api.example.test', isDevelopment: false, providers: nobody }
const onLaptop: PageSettings = { ...deployed, publicUrl: 'http://localhost:3000' }

function getPolicy(settings: PageSettings): Map<string, string> {
  return new Map(
    contentPolicy('abc', settings)
      .split('; ')
      .map((directive) => [directive.split(' ', 1)[0] ?? '', directive.split(' ').slice(1).join(' ')]),
  )
}

test('no script runs without the nonce, and nothing is framed, embedded or sent elsewhere', () => {
  const policy = getPolicy(deployed)
  expect(policy.get('script-src')).toBe("'self' 'nonce-abc' 'strict-dynamic'")
  expect(policy.get('style-src')).toBe("'self' 'nonce-abc'")
  expect(policy.get('frame-ancestors')).toBe("'none'")
  expect(policy.get('object-src')).toBe("'none'")
  expect(policy.get('base-uri')).toBe("'none'")
  expect(policy.get('default-src')).toBe("'self'")
  // Style attributes are the only inline content allowed without a nonce. They have a separate directive, so that nothing else is allowed by it.
  expect([...policy].filter(([, sources]) => sources.includes('unsafe'))).toEqual([['style-src-attr', "'unsafe-inline'"]])
  expect(getPolicy({ ...deployed, isDevelopment: true }).get('script-src')).toContain("'unsafe-eval'")
})

test('a form leads to this site, to where cards are entered, and to who signs people in', () => {
  expect(getPolicy(deployed).get('form-action')).toBe("'self' https://checkout.stripe.com https://billing.stripe.com")
  const oidc = { issuer: 'https://id.example.test/realms/main', clientId: 'a', clientSecret: 'b', label: 'single sign-on' }
  expect(getPolicy({ ...deployed, providers: { ...nobody, oidc } }).get('form-action')).toBe(
    "'self' https://checkout.stripe.com https://billing.stripe.com https://id.example.test",
  )
})

test('only a service that is reached by HTTPS asks browsers to keep to it', () => {
  const named = (settings: PageSettings) => new Map(pageHeaders(settings))
  expect(named(deployed).get('Strict-Transport-Security')).toBe('max-age=31536000')
  expect(getPolicy(deployed).has('upgrade-insecure-requests')).toBe(true)
  expect(named(onLaptop).has('Strict-Transport-Security')).toBe(false)
  expect(getPolicy(onLaptop).has('upgrade-insecure-requests')).toBe(false)
})

test('a nonce is 128 bits of chance', () => {
  const nonces = new Set(Array.from({ length: 1_000 }, newNonce))
  expect(nonces.size).toBe(1_000)
  for (const nonce of nonces) expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/)
})

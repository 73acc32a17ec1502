import { afterAll, beforeAll, expect, test } from 'vitest'
import { IdentityProvider } from './support/identity-provider.ts'
import { goodPassword, PortalFixture } from './support/portal-fixture.ts'
import type { SendInit, Visitor } from './support/visitor.ts'

/** Public address of the service, at which a proxy terminates HTTPS and forwards plain HTTP. */
const publicUrl = 'https://rates.example.test'
const behindProxy = {
  origin: publicUrl,
  'x-forwarded-host': 'rates.example.test',
  'x-forwarded-proto': 'https',
  'x-forwarded-for': '203.0.113.9',
}

const fixture = new PortalFixture()
const provider = new IdentityProvider()

beforeAll(() =>
  fixture.open(async () => ({
    ...(await provider.open(publicUrl)),
    PUBLIC_URL: publicUrl,
    TRUST_PROXY: '127.0.0.1,::1',
    SECURITY_CONTACT: 'mailto:security@example.test',
  })),
)
afterAll(async () => {
  await fixture.close()
  await provider.close()
})

/** Returns a browser behind the proxy, and all cookies it receives. */
function browser(): { visitor: Visitor; given: string[] } {
  const visitor = fixture.visitor()
  const given: string[] = []
  const send = visitor.send.bind(visitor)
  visitor.send = async (path, init: SendInit = {}) => {
    const response = await send(path.replace(publicUrl, ''), { ...init, headers: { ...init.headers, ...behindProxy } })
    given.push(...response.headers.getSetCookie())
    return response
  }
  return { visitor, given }
}

/** Asserts that browsers accept these cookies only over HTTPS and from this host. */
function expectHostCookies(given: readonly string[]): void {
  expect(given.length).toBeGreaterThan(0)
  for (const line of given) {
    expect(line).toMatch(/^__Host-svc\.[a-z-]+=/)
    expect(line).toMatch(/; Path=\/(;|$)/i)
    expect(line).toMatch(/; Secure(;|$)/i)
    expect(line).toMatch(/; HttpOnly(;|$)/i)
    expect(line).toMatch(/; SameSite=lax(;|$)/i)
    expect(line).not.toMatch(/domain=/i)
  }
}

const sessionIn = (given: readonly string[]) => given.filter((line) => /^__Host-svc\.session=[^;]/.test(line))

test('sets host-only Secure cookies on a password sign-in, and accepts them', async () => {
  const { email } = await fixture.member()
  const { visitor, given } = browser()
  const page = await fixture.signIn(visitor, email, goodPassword)
  expect(page.path).toBe('/portal')
  expect(page.status).toBe(200)
  expect(sessionIn(given)).toHaveLength(1)
  expectHostCookies(given)
  expect((await (await visitor.send('/api/auth/session')).json()) as object).toMatchObject({ user: { email } })
  // A cookie without the __Host- prefix is ignored, because another host of the domain could set it.
  const value = visitor.cookies.get('__Host-svc.session') ?? ''
  const { visitor: other } = browser()
  other.cookies.set('svc.session', value)
  expect((await other.open('/portal')).path).toMatch(/^\/sign-in/)
})

test('removes the cookie on sign-out', async () => {
  const { email } = await fixture.member()
  const { visitor, given } = browser()
  await fixture.signIn(visitor, email, goodPassword)
  given.length = 0
  await visitor.submitForm(await visitor.open('/portal'), 'Sign out')
  expect(visitor.cookies.has('__Host-svc.session')).toBe(false)
  expectHostCookies(given)
})

test('sets host-only Secure cookies on a provider sign-in, for new and existing accounts', async () => {
  const [sub, email] = ['somebody', fixture.newEmail()]
  provider.people.set(sub, { email, email_verified: true })
  const { visitor, given } = browser()
  const comeBack = async (): Promise<string> => {
    const away = await visitor.submitForm(await visitor.open('/sign-in'), 'Continue with Example ID')
    expect(new URL(away.path).searchParams.get('redirect_uri')).toBe(`${publicUrl}/api/auth/callback/oidc`)
    const back = await provider.signIn(away.path, sub)
    expect(back.startsWith(`${publicUrl}/api/auth/callback/oidc?`)).toBe(true)
    const response = await visitor.send(back.replace(publicUrl, ''))
    return response.headers.get('location') ?? ''
  }
  expect(await comeBack()).toMatch(/^(?:https:\/\/rates\.example\.test)?\/sign-up\/finish$/)
  const welcome = await visitor.submitForm(await visitor.open('/sign-up/finish'), 'Create account', { licence: 'yes' })
  expect(welcome.path).toBe('/portal/welcome')
  expect(sessionIn(given)).toHaveLength(1)
  await visitor.submitForm(await visitor.open('/portal'), 'Sign out')
  // The account exists now, so next-auth sets the session cookie itself.
  expect(await comeBack()).toMatch(/^(?:https:\/\/rates\.example\.test)?\/portal$/)
  expect(sessionIn(given)).toHaveLength(2)
  expectHostCookies(given)
  expect((await visitor.open('/portal')).path).toBe('/portal')
})

test('links in emails use the public address', async () => {
  const email = fixture.newEmail()
  const { visitor } = browser()
  await fixture.signUp(visitor, email)
  expect((await fixture.mailbox.next(email)).text).toContain(`${publicUrl}/confirm/`)
})

test('serves a security.txt that stays valid for months', async () => {
  const response = await fixture.visitor().send('/.well-known/security.txt')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  const lines = new Map(
    (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/s, 2) as [string, string]),
  )
  expect([...lines.keys()]).toEqual(['Contact', 'Expires', 'Preferred-Languages', 'Canonical'])
  expect(lines.get('Contact')).toBe('mailto:security@example.test')
  expect(lines.get('Canonical')).toBe(`${publicUrl}/.well-known/security.txt`)
  const daysLeft = (Date.parse(lines.get('Expires') ?? '') - Date.now()) / 86_400_000
  expect(daysLeft).toBeGreaterThan(60)
  expect(daysLeft).toBeLessThan(365)
})

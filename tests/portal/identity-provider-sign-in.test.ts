import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '#server/accounts/throttle.ts'
import { verifies } from '../requirements/verifies.ts'
import { IdentityProvider } from './support/identity-provider.ts'
import { linkIn } from './support/mailbox.ts'
import { PortalFixture } from './support/portal-fixture.ts'
import type { Page, Visitor } from './support/visitor.ts'

const fixture = new PortalFixture()
const provider = new IdentityProvider()

beforeAll(() => fixture.open((origin) => provider.open(origin)))
afterAll(async () => {
  await fixture.close()
  await provider.close()
})

let people = 0

function person(facts: { email?: string; email_verified?: unknown } = {}): { sub: string; email: string } {
  const [sub, email] = [`person-${++people}`, facts.email ?? fixture.newEmail()]
  provider.people.set(sub, { email, email_verified: true, ...facts })
  return { sub, email }
}

async function withProvider(visitor: Visitor, sub: string, from = '/sign-in', button = 'Continue with Example ID', fields = {}): Promise<Page> {
  const away = await visitor.submitForm(await visitor.open(from), button, fields)
  expect(away.path.startsWith(provider.issuer)).toBe(true)
  const back = await provider.signIn(away.path, sub)
  return visitor.open(back.replace(fixture.origin, ''))
}

/** Connects a provider on the settings page, where the first step confirms the user's identity. */
async function connect(visitor: Visitor, sub: string): Promise<Page> {
  const step = await visitor.submitForm(await visitor.open('/portal/settings/security'), 'Connect Example ID')
  return withProvider(visitor, sub, step.path)
}

verifies('portal/identity-provider-sign-up', async () => {
  const [visitor, { sub, email }] = [fixture.visitor(), person()]
  const finish = await withProvider(visitor, sub, '/sign-up')
  expect(finish.path).toBe('/sign-up/finish')
  expect(finish.text).toContain(email)
  expect(await fixture.sql('SELECT 1 FROM account WHERE email = $1', [email])).toEqual([])
  expect((await visitor.submitForm(finish, 'Create account')).text).toContain('Accept the Data Licence to continue.')
  const welcome = await visitor.submitForm(finish, 'Create account', { licence: 'yes' })
  expect(welcome.path).toBe('/portal/welcome')
  expect(welcome.text).toContain('20 credits added.')
  const [account] = await fixture.sql<{ id: string; email_verified_at: Date; password_hash: null }>(
    'SELECT id, email_verified_at, password_hash FROM account WHERE email = $1',
    [email],
  )
  expect(account).toMatchObject({ email_verified_at: expect.any(Date), password_hash: null })
  expect(await fixture.balance(Number(account?.id))).toBe(20)
  const later = fixture.visitor()
  expect((await withProvider(later, sub)).path).toBe('/portal')
  expect(await fixture.sql('SELECT 1 FROM account WHERE email = $1', [email])).toHaveLength(1)
})

test.each([[false], ['true'], [1], [undefined]])('with email_verified %o, the address must still be confirmed by email', async (email_verified) => {
  const [visitor, { sub, email }] = [fixture.visitor(), person({ email_verified })]
  const page = await visitor.submitForm(await withProvider(visitor, sub), 'Create account', { licence: 'yes' })
  expect(page.path).toBe('/portal')
  expect(page.text).toContain('Confirm your email')
  const [account] = await fixture.sql<{ id: string; email_verified_at: null }>('SELECT id, email_verified_at FROM account WHERE email = $1', [email])
  expect(account?.email_verified_at).toBeNull()
  expect(await fixture.balance(Number(account?.id))).toBe(0)
  // Another browser can't confirm with a password, as the account has none.
  const elsewhere = await fixture.visitor().open(linkIn(await fixture.mailbox.next(email)))
  expect(elsewhere.text).toContain('Sign in here first, then open the link again.')
  expect((await fixture.confirm(visitor, email)).path).toBe('/portal/welcome')
  expect(await fixture.balance(Number(account?.id))).toBe(20)
})

test('creates one account even if the form is submitted repeatedly', async () => {
  const [visitor, { sub, email }] = [fixture.visitor(), person()]
  const finish = await withProvider(visitor, sub)
  await Promise.all(Array.from({ length: 8 }, () => visitor.submitForm(finish, 'Create account', { licence: 'yes' })))
  const rows = await fixture.sql<{ id: string }>('SELECT id FROM account WHERE email = $1', [email])
  expect(rows).toHaveLength(1)
  expect(await fixture.balance(Number(rows[0]?.id))).toBe(20)
})

test("never uses the provider's email to sign in to an existing account", async () => {
  const { email } = await fixture.member()
  const { sub } = person({ email })
  const page = await withProvider(fixture.visitor(), sub)
  expect(page.path).toMatch(/^\/sign-in\?error=email-taken/)
  expect(page.text).toContain('An account with this email already exists.')
  expect(await fixture.sql('SELECT 1 FROM provider_identity WHERE subject = $1', [sub])).toEqual([])
})

test('connects a provider and signs in with it', async () => {
  const { visitor, email } = await fixture.member()
  const { sub } = person({ email })
  const page = await connect(visitor, sub)
  expect(page.text).toContain('Account connected.')
  expect(page.text).toContain('Connected: Example ID.')
  expect((await fixture.mailbox.next(email)).subject).toBe('Example ID was connected to your account')
  const other = fixture.visitor()
  expect((await withProvider(other, sub)).path).toBe('/portal')
  const done = await visitor.submitForm(await visitor.open('/portal/settings/security'), 'Disconnect Example ID')
  expect(done.status).toBe(200)
  expect((await visitor.open('/portal/settings/security')).text).not.toContain('Connected: Example ID.')
  expect((await fixture.mailbox.next(email, 2)).subject).toBe('Example ID was disconnected from your account')
  expect((await other.open('/portal')).path).toMatch(/^\/sign-in/)
  expect((await withProvider(other, sub)).path).toMatch(/^\/sign-in\?error=email-taken/)
})

test('a provider sign-in on a new device notifies the owner and counts towards the limit', async () => {
  const { visitor, email, publicId } = await fixture.member()
  const { sub } = person({ email })
  await connect(visitor, sub)
  await fixture.mailbox.next(email)
  await fixture.sql("UPDATE account SET created_at = now() - interval '2 days' WHERE email = $1", [email])
  const other = fixture.visitor()
  await withProvider(other, sub)
  await fixture.mailbox.next(email, 2)
  expect(fixture.mailbox.to(email).map(({ subject }) => subject)).toEqual(['Example ID was connected to your account', 'New sign-in to your account'])
  const bucket = createHash('sha256').update(`${limits.signIns.name}\0${publicId}`).digest()
  await fixture.sql('UPDATE throttle SET used = $2 WHERE bucket = $1', [bucket, limits.signIns.allowed])
  expect((await withProvider(fixture.visitor(), sub)).path).toBe('/sign-in?error=throttled')
})

test('rejects reserved email addresses from a provider', async () => {
  for (const email_verified of [true, false]) {
    const { sub } = person({ email: `x-${email_verified}@site.invalid`, email_verified })
    expect((await withProvider(fixture.visitor(), sub)).path).toMatch(/^\/sign-in\?error=no-email/)
  }
  expect(await fixture.sql("SELECT FROM account WHERE email LIKE 'x-%@site.invalid'")).toEqual([])
})

test('requires a recent sign-in to connect a provider', async () => {
  const { visitor, id } = await fixture.member()
  const { sub } = person()
  await fixture.sql("UPDATE portal_session SET created_at = now() - interval '11 minutes' WHERE account_id = $1", [id])
  const refused = await visitor.submitForm(await visitor.open('/portal/settings/security'), 'Connect Example ID')
  expect(refused.text).toContain("Confirm it's you")
  // Unlike the settings page, next-auth's own sign-in route doesn't ask for a password.
  const { csrfToken } = (await (await visitor.send('/api/auth/csrf')).json()) as { csrfToken: string }
  const body = new URLSearchParams({ csrfToken, callbackUrl: '/portal/settings/security' })
  const away = (await visitor.send('/api/auth/signin/oidc', { method: 'POST', body, headers: { origin: fixture.origin } })).headers.get('location') ?? ''
  const back = await visitor.open((await provider.signIn(away, sub)).replace(fixture.origin, ''))
  expect(back.text).toContain("The account wasn't connected.")
  expect(await fixture.sql('SELECT 1 FROM provider_identity WHERE account_id = $1', [id])).toEqual([])
})

test("doesn't disconnect the only sign-in method", async () => {
  const [visitor, { sub }] = [fixture.visitor(), person()]
  await visitor.submitForm(await withProvider(visitor, sub), 'Create account', { licence: 'yes' })
  const page = await visitor.submitForm(await visitor.open('/portal/settings/security'), 'Disconnect Example ID')
  expect(page.text).toContain('Set a password first: you have no other way to sign in.')
  expect((await withProvider(fixture.visitor(), sub)).path).toBe('/portal')
})

test('confirming an identity at the provider ends the previous session', async () => {
  const [visitor, { sub }] = [fixture.visitor(), person()]
  await visitor.submitForm(await withProvider(visitor, sub), 'Create account', { licence: 'yes' })
  const stolen = new Map(visitor.cookies)
  await fixture.sql("UPDATE portal_session SET created_at = now() - interval '11 minutes'")
  const stale = await visitor.submitForm(await visitor.open('/portal/settings/security'), 'Set password', { password: 'another good password' })
  expect(stale.text).toContain("Confirm it's you")
  const away = await visitor.submitForm(await visitor.open('/sign-in/confirm'), 'Continue with Example ID')
  expect(new URL(away.path).searchParams.get('prompt')).toBe('login')
  const back = await visitor.open((await provider.signIn(away.path, sub)).replace(fixture.origin, ''))
  expect(back.text).toContain('Confirmed. Close this tab and continue where you left off.')
  const set = await visitor.submitForm(await visitor.open('/portal/settings/security'), 'Set password', { password: 'another good password' })
  expect(set.status).toBe(200)
  const thief = fixture.visitor()
  for (const [name, value] of stolen) thief.cookies.set(name, value)
  expect((await thief.open('/portal')).path).toMatch(/^\/sign-in/)
})

test('asks for the two-factor code after a provider sign-in', async () => {
  const { visitor, email, id } = await fixture.member()
  const { sub } = person({ email })
  await connect(visitor, sub)
  const setUp = await visitor.submitForm(await visitor.open('/portal/settings/security'), 'Set up two-factor sign-in')
  expect(setUp.result).toMatchObject({ secret: expect.stringMatching(/^[A-Z2-7]{32}$/) })
  await fixture.sql('UPDATE second_factor SET since = now() WHERE account_id = $1', [id])
  expect((await withProvider(fixture.visitor(), sub)).path).toBe('/sign-in/code')
})

test('rejects provider responses that were not requested', async () => {
  const { sub } = person()
  const asker = fixture.visitor()
  const away = await asker.submitForm(await asker.open('/sign-in'), 'Continue with Example ID')
  const back = (await provider.signIn(away.path, sub)).replace(fixture.origin, '')
  // Another browser has no state, nonce or verifier.
  expect((await fixture.visitor().open(back)).path).toMatch(/^\/sign-in\?.*error=/)
  expect((await asker.open(back.replace(/state=[^&]+/, 'state=forged'))).path).toMatch(/^\/sign-in\?.*error=/)
})

test.each([{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }, {}])(
  'rejects a request to start a provider sign-in with %j',
  async (headers) => {
    const visitor = fixture.visitor()
    const { csrfToken } = (await (await visitor.send('/api/auth/csrf')).json()) as { csrfToken: string }
    const body = new URLSearchParams({ csrfToken, callbackUrl: '/portal' })
    const response = await visitor.send('/api/auth/signin/oidc', { method: 'POST', body, headers: headers as Record<string, string> })
    expect([response.status, response.headers.get('location')]).toEqual([403, null])
  },
)

test.each(['signin/oidc', 'signin/oidc?prompt=login'])("%s requires next-auth's CSRF token", async (path) => {
  const visitor = fixture.visitor()
  await visitor.open('/sign-in')
  for (const csrfToken of ['', 'f'.repeat(64)]) {
    const body = new URLSearchParams({ csrfToken, callbackUrl: '/portal' })
    const response = await visitor.send(`/api/auth/${path}`, { method: 'POST', body, headers: { origin: fixture.origin } })
    expect(response.headers.get('location')).toMatch(/\/api\/auth\/signin\?csrf=true$/)
  }
})

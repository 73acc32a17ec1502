import { expect, test } from 'vitest'
import { blockAccount, unblockAccount } from '#server/accounts/accounts.ts'
import { verifies } from '../requirements/verifies.ts'
import { linkIn } from './support/mailbox.ts'
import { goodPassword } from './support/portal-fixture.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getData, getError, type SendInit } from './support/visitor.ts'

const fixture = portalFixture({ TRUST_PROXY: '127.0.0.1,::1' })
const wrong = 'Email address or password is not correct.'

/** Returns a visitor with its own IP address. */
function from(address: string) {
  const visitor = fixture.visitor()
  const send = visitor.send.bind(visitor)
  visitor.send = (path, init: SendInit = {}) => send(path, { ...init, headers: { 'x-forwarded-for': address, ...init.headers } })
  return visitor
}

let network = 0
const someone = () => from(`203.0.113.${++network}`)

test('redirects to the requested page after signing in', async () => {
  const { email } = await fixture.member()
  const visitor = someone()
  const page = await visitor.open('/portal/keys?x=1')
  expect(page.path).toBe(`/sign-in?next=${encodeURIComponent('/portal/keys?x=1')}`)
  expect((await visitor.submitForm(page, 'Sign in', { email, password: goodPassword })).path).toBe('/portal/keys?x=1')
})

test.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])('never redirects to %s', async (next) => {
  const { email } = await fixture.member()
  const visitor = someone()
  const page = await visitor.open(`/sign-in?next=${encodeURIComponent(next)}`)
  expect((await visitor.submitForm(page, 'Sign in', { email, password: goodPassword })).path).toBe('/portal')
})

verifies('portal/same-login-as-site', async () => {
  const { visitor, email } = await fixture.member()
  const session = await (await visitor.send('/api/auth/session')).json()
  expect(session).toMatchObject({ user: { email } })
  const [cookie] = (await fixture.signIn(someone(), email)) && [...visitor.cookies.keys()].filter((name) => name.endsWith('svc.session'))
  expect(cookie).toBeDefined()
  // The session is valid for the whole site: the sign-in page redirects to the portal.
  expect((await visitor.open('/sign-in')).path).toBe('/portal')
})

test('sets a host-only HttpOnly session cookie', async () => {
  const { email } = await fixture.member()
  const visitor = someone()
  const page = await visitor.open('/sign-in')
  const seen: string[] = []
  const send = visitor.send.bind(visitor)
  visitor.send = async (path, init) => {
    const response = await send(path, init)
    seen.push(...response.headers.getSetCookie())
    return response
  }
  await visitor.submitForm(page, 'Sign in', { email, password: goodPassword })
  const set = seen.find((line) => line.startsWith('svc.session='))
  expect(set).toMatch(/; Path=\/;/)
  expect(set).toMatch(/HttpOnly/i)
  expect(set).toMatch(/SameSite=lax/i)
  expect(set).not.toMatch(/Domain/i)
})

test('returns the same response for known and unknown emails', async () => {
  const { email } = await fixture.member()
  const strip = (text: string) => text.replaceAll(email, 'X').replaceAll('nobody@example.test', 'X')
  const answers = await Promise.all(
    [email, 'nobody@example.test'].map(async (address) => {
      const visitor = someone()
      const page = await visitor.submitForm(await visitor.open('/sign-in'), 'Sign in', { email: address, password: 'not the right one' })
      const reset = await visitor.submitForm(await visitor.open('/reset'), 'Send reset link', { email: address })
      const signUp = await fixture.signUp(visitor, address)
      const again = await visitor.submitForm(signUp, 'Resend email')
      const signedIn = await fixture.signIn(someone(), address, `${goodPassword} sideways`)
      return [page, reset, signUp, again, signedIn].map(({ status, path, text }) => ({ status, path, text: strip(text) }))
    }),
  )
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]?.[0]?.text).toContain(wrong)
})

test('a sign-up with a known email changes nothing and only notifies its owner', async () => {
  const { email, visitor } = await fixture.member()
  const attacker = someone()
  await fixture.signUp(attacker, email, "an attacker's password")
  const mail = await fixture.mailbox.next(email)
  expect(mail.subject).toBe('You already have an account')
  expect(mail.text).not.toMatch(/\/confirm\//)
  expect((await visitor.open('/portal')).path).toBe('/portal')
  expect((await fixture.signIn(someone(), email)).path).toBe('/portal')
  // The attacker's own unconfirmed account looks exactly as it would if nobody else used this email.
  expect((await fixture.signIn(attacker, email, "an attacker's password")).text).toContain('Confirm your email')
  expect(await fixture.sql('SELECT 1 FROM account WHERE email = $1 AND email_verified_at IS NOT NULL', [email])).toHaveLength(1)
})

test('limits attackers without locking out known devices', async () => {
  const { email, visitor } = await fixture.member()
  await visitor.submitForm(await visitor.open('/portal'), 'Sign out')
  const tries = await Promise.all(
    Array.from({ length: 16 }, async () => {
      const attacker = from('198.51.100.200')
      return attacker.submitForm(await attacker.open('/sign-in'), 'Sign in', { email, password: "an attacker's guess" })
    }),
  )
  const results = tries.map(({ text }) => (text.includes(wrong) ? 'wrong' : (/Too many attempts\. Try again in \d+ minutes?\./.exec(text)?.[0] ?? text)))
  expect(results.filter((result) => result === 'wrong')).toHaveLength(10)
  expect(results.filter((result) => result !== 'wrong')).toEqual(Array.from({ length: 6 }, () => expect.stringMatching(/^Too many attempts/)))
  // The limit applies to the attackers' network, so the owner can sign in from known and new devices.
  expect((await fixture.signIn(someone(), email)).path).toBe('/portal')
  expect((await fixture.signIn(visitor, email)).path).toBe('/portal')
})

test.each(['another account has', 'no account has'])("signing up with an email that %s confirmed doesn't allow more password guesses", async (whose) => {
  const email = whose === 'no account has' ? fixture.newEmail() : (await fixture.member()).email
  const [own, network] = ["an attacker's password", `198.51.100.${whose.length}`]
  const attacker = from(network)
  await fixture.signUp(attacker, email, own)
  await fixture.signIn(attacker, email, own)
  await attacker.submitForm(await attacker.open('/portal'), 'Sign out')
  for (let guesses = 0; guesses < 10; guesses++) expect((await fixture.signIn(from(network), email, "an attacker's guess")).text).toContain(wrong)
  // The browser has only signed in to an unconfirmed account with this email, so it doesn't count as a known device.
  expect((await fixture.signIn(attacker, email, "an attacker's guess")).text).toContain('Too many attempts.')
})

test('limits the number of accounts that one network can try', async () => {
  const address = '198.51.100.7'
  const answers: string[] = []
  for (let round = 0; round < 6; round++) {
    const pages = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        const visitor = from(address)
        return visitor.submitForm(await visitor.open('/sign-in'), 'Sign in', { email: `guess-${round}-${n}@example.test`, password: "an attacker's guess" })
      }),
    )
    answers.push(...pages.map(({ text }) => text))
  }
  expect(answers.filter((text) => text.includes(wrong))).toHaveLength(50)
  expect(answers.filter((text) => text.includes('Too many attempts.'))).toHaveLength(10)
})

test('rejects the next request of a session ended on another device', async () => {
  const { email, visitor } = await fixture.member()
  const phone = someone()
  await fixture.signIn(phone, email)
  const sessions = getData(await visitor.call('session.list', 'query')) as { id: string; isThis: boolean }[]
  expect(sessions).toHaveLength(2)
  const other = sessions.find(({ isThis }) => !isThis)
  await visitor.call('session.end', 'mutation', { id: other?.id })
  expect((await phone.open('/portal')).path).toMatch(/^\/sign-in/)
  expect(await (await phone.send('/api/auth/session')).json()).not.toHaveProperty('user')
  expect((await phone.call('keys.list', 'query')).status).toBe(401)
  expect((await visitor.open('/portal')).path).toBe('/portal')
})

test('"Sign out everywhere" ends every session', async () => {
  const { email, visitor } = await fixture.member()
  const others = [someone(), someone()]
  for (const other of others) await fixture.signIn(other, email)
  const page = await visitor.submitForm(await visitor.open('/portal/settings/security'), 'Sign out everywhere')
  expect(page.text).toContain("You've been signed out on all devices.")
  for (const other of [visitor, ...others]) expect((await other.open('/portal')).path).toMatch(/^\/sign-in/)
})

test('sign-out ends the session itself, not only the cookie', async () => {
  const { visitor } = await fixture.member()
  const stolen = someone()
  for (const [name, value] of visitor.cookies) stolen.cookies.set(name, value)
  expect((await stolen.open('/portal')).path).toBe('/portal')
  await visitor.submitForm(await visitor.open('/portal'), 'Sign out')
  expect((await stolen.open('/portal')).path).toMatch(/^\/sign-in/)
})

test('a blocked account sees only the reason, from the next request on', async () => {
  const { email, visitor } = await fixture.member()
  await blockAccount(fixture.pool, email, 'Unpaid invoice.')
  const page = await visitor.open('/portal/keys')
  expect(page.text).toContain('This account is blocked: Unpaid invoice. Its keys do not work. Contact support.')
  expect(page.text).not.toContain('Create key')
  for (const procedure of ['keys.list', 'account.overview', 'security.read']) {
    const answer = await visitor.call(procedure, 'query')
    expect(answer.status).toBe(403)
    expect(getError(answer).data).toMatchObject({ error: 'account_blocked', extra: { reason: 'Unpaid invoice.' } })
  }
  await unblockAccount(fixture.pool, email)
  expect((await visitor.open('/portal/keys')).text).toContain('Create key')
})

test('a reset link works only once, and ends every session', async () => {
  const { id, email, visitor } = await fixture.member()
  await fixture.sql("INSERT INTO provider_identity (issuer, subject, account_id) VALUES ('https://somewhere.example', $2, $1)", [id, email])
  const other = someone()
  const asked = await other.submitForm(await other.open('/reset'), 'Send reset link', { email })
  expect(asked.text).toContain("If an account exists for this address, we've sent a link.")
  const path = linkIn(await fixture.mailbox.next(email))
  expect(path).toMatch(/^\/reset\//)
  const form = await other.open(path)
  expect(form.headers.get('referrer-policy')).toBe('same-origin')
  expect((await other.submitForm(form, 'Save password', { password: 'short' })).text).toContain('Password must be 12 characters or more.')
  const done = await other.submitForm(form, 'Save password', { password: 'a wholly new password' })
  expect(done.text).toContain("You've been signed out on all devices.")
  expect((await visitor.open('/portal')).path).toMatch(/^\/sign-in/)
  expect((await fixture.signIn(someone(), email)).text).toContain(wrong)
  expect((await fixture.signIn(someone(), email, 'a wholly new password')).path).toBe('/portal')
  expect((await other.open(path)).text).toContain('This link has already been used or has expired.')
  const notification = await fixture.mailbox.next(email, 2)
  expect(notification.subject).toBe('Your password was changed')
  expect(notification.text.replace(/\s+/g, ' ')).toContain(
    "You can still sign in with somewhere.example. In Settings, disconnect any account you didn't connect yourself",
  )
})

test('accepts only one of two concurrent resets', async () => {
  const { email } = await fixture.member()
  const visitor = someone()
  await visitor.submitForm(await visitor.open('/reset'), 'Send reset link', { email })
  const form = await visitor.open(linkIn(await fixture.mailbox.next(email)))
  const pages = await Promise.all(['first new password', 'other new password'].map((password) => visitor.submitForm(form, 'Save password', { password })))
  expect(pages.filter(({ path }) => path === '/sign-in?done=reset')).toHaveLength(1)
})

test('sends no link to an email without an account', async () => {
  const email = fixture.newEmail()
  const visitor = someone()
  await visitor.submitForm(await visitor.open('/reset'), 'Send reset link', { email })
  await expect
    .poll(() => fixture.sql<{ state: string }>('SELECT state FROM email WHERE recipient = $1', [email]), { timeout: 10_000 })
    .toEqual([{ state: 'dropped' }])
  expect(fixture.mailbox.to(email)).toEqual([])
})

test('notifies the owner of a sign-in on a new device, but not on a known one', async () => {
  const [{ email }, visitor] = [await fixture.member(), fixture.visitor()]
  await fixture.signIn(visitor, email)
  await fixture.sql("UPDATE account SET created_at = now() - interval '2 days' WHERE email = $1", [email])
  await visitor.submitForm(await visitor.open('/portal'), 'Sign out')
  await fixture.signIn(visitor, email)
  await fixture.signIn(from('192.0.2.99'), email)
  const mail = await fixture.mailbox.next(email)
  expect(mail.subject).toBe('New sign-in to your account')
  expect(mail.text).toContain('192.0.2.99')
  expect(fixture.mailbox.to(email)).toHaveLength(1)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '#server/accounts/throttle.ts'
import { attempts } from './support/attempts.ts'
import { linkIn } from './support/mailbox.ts'
import { goodPassword, PortalFixture } from './support/portal-fixture.ts'

const fixture = new PortalFixture()
const { someone, guess, setUsed } = attempts(fixture)

beforeAll(() => fixture.open({ TRUST_PROXY: '127.0.0.1,::1' }))
afterAll(() => fixture.close())

const refused = 'Email address or password is not correct.'

test("attackers can't stop the owner from signing in on a new device after a reset", async () => {
  const { email } = await fixture.member()
  /** Simulates guesses from many networks. */
  const exhaust = async () => {
    expect((await guess(email)).text).toContain(refused)
    await setUsed(limits.address, email, [], limits.address.allowed)
    expect((await guess(email)).text).toContain('Too many attempts.')
  }
  await exhaust()
  const { visitor: phone } = someone()
  expect((await fixture.signIn(phone, email)).text).toContain('Too many attempts.')
  await phone.submitForm(await phone.open('/reset'), 'Send reset link', { email })
  const link = linkIn(await fixture.mailbox.next(email))
  await phone.submitForm(await phone.open(link), 'Save password', { password: 'a wholly new password' })
  // The attackers continue and exhaust the limit again.
  await exhaust()
  expect((await fixture.signIn(phone, email, 'a wholly new password')).path).toBe('/portal')
})

test('limits the reset emails sent to an inbox', async () => {
  const { email } = await fixture.member()
  for (let times = 0; times < 8; times++) {
    const { visitor } = someone()
    await visitor.submitForm(await visitor.open('/reset'), 'Send reset link', { email })
  }
  await expect.poll(() => fixture.sql("SELECT 1 FROM email WHERE recipient = $1 AND state = 'waiting'", [email]), { timeout: 15_000 }).toEqual([])
  expect(fixture.mailbox.to(email)).toHaveLength(5)
  // The owner can still get a link ten minutes after the last one.
  await fixture.sql("UPDATE email SET done_at = done_at - interval '11 minutes' WHERE recipient = $1", [email])
  const { visitor } = someone()
  await visitor.submitForm(await visitor.open('/reset'), 'Send reset link', { email })
  expect(linkIn(await fixture.mailbox.next(email, 6))).toMatch(/^\/reset\//)
})

test('limits the reset emails sent to an inbox if the mail server is slow', async () => {
  const { email } = await fixture.member()
  // Delays each email, so that several are in flight at once.
  fixture.mailbox.meanwhile.taken = () => new Promise((resolve) => setTimeout(resolve, 300))
  for (let times = 0; times < 12; times++) {
    const { visitor } = someone()
    await visitor.submitForm(await visitor.open('/reset'), 'Send reset link', { email })
  }
  await expect.poll(() => fixture.sql("SELECT 1 FROM email WHERE recipient = $1 AND state = 'waiting'", [email]), { timeout: 15_000 }).toEqual([])
  fixture.mailbox.meanwhile.taken = () => null
  expect(fixture.mailbox.to(email)).toHaveLength(5)
})

test('rejects a password change whose session ends while it waits for the account', async () => {
  const { visitor, email, id } = await fixture.member()
  const settings = await visitor.open('/portal/settings/security')
  const blocker = await fixture.pool.connect()
  await blocker.query('BEGIN')
  await blocker.query('SELECT 1 FROM account WHERE id = $1 FOR UPDATE', [id])
  const changing = visitor.submitForm(settings, 'Change password', { currentPassword: goodPassword, password: 'a password of an attacker' })
  const isWaiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
  await expect.poll(() => fixture.sql(isWaiting), { timeout: 15_000 }).not.toEqual([])
  await blocker.query('UPDATE account SET session_version = session_version + 1 WHERE id = $1', [id])
  await blocker.query('COMMIT')
  blocker.release()
  const refused = await changing
  expect([refused.status, refused.text.includes('Sign in to continue.')]).toEqual([401, true])
  expect((await visitor.open('/portal')).path).toMatch(/^\/sign-in/)
  expect((await fixture.signIn(fixture.visitor(), email)).path).toBe('/portal')
})

test('sends no email to an unconfirmed address when its password is changed or its account is closed', async () => {
  const [visitor, email] = [fixture.visitor(), fixture.newEmail()]
  await fixture.signUp(visitor, email)
  await fixture.signIn(visitor, email)
  await fixture.mailbox.next(email)
  const password = 'a wholly new password'
  const changed = await visitor.submitForm(await visitor.open('/portal/settings/security'), 'Change password', { currentPassword: goodPassword, password })
  expect(changed.status).toBe(200)
  const kinds = () => fixture.sql('SELECT kind FROM email WHERE recipient = $1', [email])
  expect(await kinds()).toEqual([{ kind: 'sign-up' }])
  await visitor.submitForm(await visitor.open('/portal/settings/account'), 'Close account', { email, currentPassword: password })
  expect(await fixture.sql('SELECT 1 FROM account WHERE email = $1', [email])).toEqual([])
  expect(await kinds()).not.toContainEqual({ kind: 'account-closed' })
})

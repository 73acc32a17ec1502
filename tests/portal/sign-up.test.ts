import { expect, test } from 'vitest'
import { dataLicence } from '#server/api/contract/envelope.ts'
import { verifyLedger } from '#server/billing/ledger.ts'
import { verifies } from '../requirements/verifies.ts'
import { linkIn } from './support/mailbox.ts'
import { goodPassword } from './support/portal-fixture.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getError } from './support/visitor.ts'

const fixture = portalFixture()

verifies(['portal/password-sign-up', 'portal/email-confirmation', 'portal/starter-credits'], async () => {
  const [visitor, email] = [fixture.visitor(), fixture.newEmail()]
  const sent = await fixture.signUp(visitor, email)
  expect(sent.path).toBe('/sign-up/check-email')
  expect(sent.text).toContain("If this address can be used to sign up, we've sent it a link. The link works once and expires in 30 minutes.")
  const mail = await fixture.mailbox.next(email)
  expect(mail.subject).toBe('Confirm your email')
  const page = await visitor.open(linkIn(mail))
  expect(page.text).toContain(email)
  const welcome = await visitor.submitForm(page, 'Confirm email')
  expect(welcome.path).toBe('/portal/welcome')
  expect(welcome.text).toContain('20 credits added.')
  const [account] = await fixture.sql<{ id: string; email_verified_at: Date | null; state: string }>(
    'SELECT id, email_verified_at, state FROM account WHERE email = $1',
    [email],
  )
  expect(account).toMatchObject({ email_verified_at: expect.any(Date), state: 'review' })
  expect(await fixture.balance(Number(account?.id))).toBe(20)
})

test('shows the first test key only once, in the panel and in all three examples', async () => {
  const [visitor, email] = [fixture.visitor(), fixture.newEmail()]
  await fixture.signUp(visitor, email)
  const welcome = await fixture.confirm(visitor, email)
  const [key = ''] = /svc_test_[0-9A-Za-z]{36}/.exec(welcome.html) ?? []
  for (const example of [`-H "Authorization: Bearer ${key}"`, `Authorization: 'Bearer ${key}'`, `{"Authorization": "Bearer ${key}"}`]) {
    expect(welcome.text).toContain(example)
  }
  const answer = await fetch(`${fixture.origin}/v1/rates?limit=1`, { headers: { authorization: `Bearer ${key}` } })
  expect(answer.status).toBe(200)
  const [kept] = await fixture.sql<{ n: string }>(`SELECT count(*) AS n FROM api_key k JOIN account a ON a.id = k.account_id WHERE a.email = $1`, [email])
  expect(kept?.n).toBe('1')
})

verifies('portal/starter-credits-once', async () => {
  const [visitor, email] = [fixture.visitor(), fixture.newEmail()]
  await fixture.signUp(visitor, email)
  const page = await visitor.open(linkIn(await fixture.mailbox.next(email)))
  const pages = await Promise.all(Array.from({ length: 20 }, () => visitor.submitForm(page, 'Confirm email')))
  expect(pages.every(({ status }) => status === 200)).toBe(true)
  const ledger = await fixture.sql<{ kind: string; credits: string }>(
    'SELECT kind, credits FROM ledger_entry l JOIN account a ON a.id = l.account_id WHERE a.email = $1',
    [email],
  )
  expect(ledger).toEqual([{ kind: 'starter', credits: '20' }])
  const keys = await fixture.sql('SELECT k.id FROM api_key k JOIN account a ON a.id = k.account_id WHERE a.email = $1', [email])
  expect(keys).toHaveLength(1)
  expect((await verifyLedger(fixture.pool)).differences).toEqual([])
})

test("opening a link doesn't invalidate it, but confirming does", async () => {
  const [visitor, email] = [fixture.visitor(), fixture.newEmail()]
  await fixture.signUp(visitor, email)
  const path = linkIn(await fixture.mailbox.next(email))
  const scanner = fixture.visitor()
  for (let times = 0; times < 3; times++) expect((await scanner.open(path)).text).toContain('Confirm email')
  expect(await fixture.sql('SELECT 1 FROM account WHERE email = $1 AND email_verified_at IS NOT NULL', [email])).toEqual([])
  await visitor.submitForm(await visitor.open(path), 'Confirm email')
  expect((await fixture.visitor().open(path)).text).toContain('This link has already been used or has expired.')
})

const isConfirmed = async (email: string) => (await fixture.sql('SELECT 1 FROM account WHERE email = $1 AND email_verified_at IS NOT NULL', [email])).length > 0

test('asks for the password if the link is opened in another browser', async () => {
  const email = fixture.newEmail()
  await fixture.signUp(fixture.visitor(), email)
  const phone = fixture.visitor()
  const page = await phone.open(linkIn(await fixture.mailbox.next(email)))
  expect(page.text).toContain('You signed up in a different browser.')
  expect((await phone.submitForm(page, 'Confirm email', { password: '' })).text).toContain('Enter your password.')
  expect((await phone.submitForm(page, 'Confirm email', { password: "an attacker's guess" })).text).toContain('Password is not correct.')
  expect(await isConfirmed(email)).toBe(false)
  const welcome = await phone.submitForm(page, 'Confirm email', { password: goodPassword })
  expect(welcome.path).toBe('/portal/welcome')
  expect(welcome.text).toContain('20 credits added.')
})

test("an attacker who signed up with someone else's email gains nothing when the owner confirms", async () => {
  const [attacker, owner, email] = [fixture.visitor(), fixture.visitor(), fixture.newEmail()]
  await fixture.signUp(attacker, email, "an attacker's password")
  const planted = linkIn(await fixture.mailbox.next(email))
  await fixture.signIn(attacker, email, "an attacker's password")
  // The attacker can't leave anything in the account that survives the confirmation, such as a second factor that would lock the owner out.
  const factor = await attacker.call('security.beginSecondFactor', 'mutation', { currentPassword: "an attacker's password" })
  expect([factor.status, getError(factor).data.error]).toEqual([403, 'email_not_verified'])
  await fixture.signUp(owner, email)
  await fixture.mailbox.next(email, 2)
  const phone = fixture.visitor()
  expect((await phone.submitForm(await phone.open(planted), 'Confirm email', { password: goodPassword })).text).toContain('Password is not correct.')
  expect(await isConfirmed(email)).toBe(false)
  // In the browser where the owner signed up, any link sent to this email confirms the owner's account, even one that the attacker requested.
  expect((await owner.submitForm(await owner.open(planted), 'Confirm email')).path).toBe('/portal/welcome')
  expect((await attacker.open('/portal')).path).toMatch(/^\/sign-in/)
  expect((await fixture.signIn(fixture.visitor(), email, "an attacker's password")).text).toContain('Email address or password is not correct.')
  expect((await fixture.signIn(fixture.visitor(), email)).path).toBe('/portal')
})

test('reports an expired link and sends a new one', async () => {
  const [visitor, email] = [fixture.visitor(), fixture.newEmail()]
  await fixture.signUp(visitor, email)
  const path = linkIn(await fixture.mailbox.next(email))
  await fixture.sql("UPDATE email_token SET expires_at = now() - interval '1 second' WHERE email = $1", [email])
  const page = await visitor.open(path)
  expect(page.text).toContain('This link has already been used or has expired.')
  const asked = await visitor.submitForm(page, 'Send a new link')
  expect(asked.text).toContain("If you still need to confirm your email, we've sent you a new link.")
  expect((await fixture.confirm(visitor, email, 2)).path).toBe('/portal/welcome')
})

verifies('portal/licence-accepted-at-sign-up', async () => {
  const [visitor, email] = [fixture.visitor(), fixture.newEmail()]
  const page = await visitor.submitForm(await visitor.open('/sign-up'), 'Create account', { email, password: goodPassword })
  expect(page.text).toContain('Accept the Data Licence to continue.')
  expect(await fixture.sql('SELECT 1 FROM account WHERE email = $1', [email])).toEqual([])
  await fixture.signUp(visitor, email)
  const [account] = await fixture.sql<{ accepted_licence: string }>('SELECT accepted_licence FROM account WHERE email = $1', [email])
  expect(account?.accepted_licence).toBe('v2026-09')
  const [entry] = await fixture.sql<{ after: object }>(
    `SELECT e.after FROM audit_entry e JOIN account a ON a.id = e.account_id WHERE a.email = $1 AND e.action = 'sign-up'`,
    [email],
  )
  expect(entry?.after).toMatchObject({ licence: 'v2026-09' })
})

test('shows the newer licence before creating the account if the sign-up page showed an older one', async () => {
  const [visitor, email] = [fixture.visitor(), fixture.newEmail()]
  const page = await visitor.open('/sign-up')
  const fields = { email, password: goodPassword, licence: 'yes' }
  const answer = await visitor.submitForm(page, 'Create account', { ...fields, licenceShown: 'v2020-01' })
  expect(answer.text).toContain('A newer version of the Data Licence has been published.')
  expect(await fixture.sql('SELECT 1 FROM account WHERE email = $1', [email])).toEqual([])
  expect((await visitor.submitForm(page, 'Create account', fields)).path).toBe('/sign-up/check-email')
})

test.each([
  [{ email: '' }, 'Enter an email address.'],
  [{ email: 'nobody' }, 'Enter an email address like name@example.com.'],
  [{ password: '' }, 'Enter a password.'],
  [{ password: 'short' }, 'Password must be 12 characters or more.'],
  [{ password: 'abcdabcdabcd' }, 'This password is too common. Choose another.'],
  [{ password: `${'a long sentence '.repeat(8)}end` }, 'Password must be 128 characters or fewer.'],
  [{ password: 'qwerty123456' }, 'This password is too common. Choose another.'],
  [{ password: 'Administrator' }, 'This password is too common. Choose another.'],
  [{ email: 'my.own.name@example.test', password: 'My.Own.Name@example.test' }, 'Password must not be your email address.'],
])('%o reports "%s" at its field, and the response contains no password', async (typed, message) => {
  const visitor = fixture.visitor()
  const fields = { email: fixture.newEmail(), password: goodPassword, licence: 'yes', licenceShown: dataLicence, ...typed }
  const answer = await visitor.call('signUp.create', 'mutation', fields)
  const [field = ''] = Object.keys(typed).slice(-1)
  expect([answer.status, getError(answer).data.fields]).toEqual([400, { [field]: message }])
  if (fields.password !== '') expect(JSON.stringify(answer.body)).not.toContain(fields.password)
  const page = await visitor.submitForm(await visitor.open('/sign-up'), 'Create account', fields)
  expect(page.text).toContain(`There is a problem ${message}`)
})

test.each(['x@site.invalid', 'X@Site.Invalid', 'x@a.site.invalid'])('rejects the reserved address %s for sign-ups and email changes', async (email) => {
  const sentence = 'Enter an email address like name@example.com.'
  expect((await fixture.signUp(fixture.visitor(), email)).text).toContain(sentence)
  const { visitor } = await fixture.member()
  const page = await visitor.submitForm(await visitor.open('/portal/settings/security'), 'Send link to new address', { email, currentPassword: goodPassword })
  expect(page.text).toContain(sentence)
  expect(await fixture.sql("SELECT FROM account WHERE email LIKE 'x@%site.invalid'")).toEqual([])
})

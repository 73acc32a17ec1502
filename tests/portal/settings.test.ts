import { expect, test } from 'vitest'
import { emailTemplates } from '#server/self-service/auth-emails.ts'
import { codeAt, stepAt } from '../support/totp.ts'
import { linkIn } from './support/mailbox.ts'
import { goodPassword, type Member } from './support/portal-fixture.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getData } from './support/visitor.ts'

const fixture = portalFixture()

/** Returns the code for the current time step or a later one. The service accepts the current and the next code, but not the previous one. */
const codeNow = (secret: string, steps = 0): string => codeAt(secret, stepAt(Date.now()) + steps)

async function withSecondFactor({ visitor }: Member): Promise<{ secret: string; codes: string[] }> {
  const { result } = await visitor.submitForm(await visitor.open('/portal/settings/security'), 'Set up two-factor sign-in')
  const codes = getData(await visitor.call('security.confirmSecondFactor', 'mutation', { code: codeNow(result.secret) }))
  return { secret: result.secret, codes }
}

test('requires the current password', async () => {
  const { visitor, email } = await fixture.member()
  const page = await visitor.open('/portal/settings/security')
  const refused = await visitor.submitForm(page, 'Change password', { currentPassword: 'not the password', password: 'another good password' })
  expect(refused.text).toContain('Current password is not correct.')
  expect(refused.html).not.toContain('another good password')
  expect((await fixture.signIn(fixture.visitor(), email)).path).toBe('/portal')
})

test('signs out other devices after a password change, but not this one', async () => {
  const { visitor, email } = await fixture.member()
  const other = fixture.visitor()
  await fixture.signIn(other, email)
  const page = await visitor.submitForm(await visitor.open('/portal/settings/security'), 'Change password', {
    currentPassword: goodPassword,
    password: 'another good password',
  })
  expect(page.status).toBe(200)
  expect((await other.open('/portal')).path).toMatch(/^\/sign-in/)
  expect((await visitor.open('/portal')).path).toBe('/portal')
  expect((await fixture.mailbox.next(email)).subject).toBe('Your password was changed')
  expect((await fixture.signIn(fixture.visitor(), email, 'another good password')).path).toBe('/portal')
})

test('changes the email once the link is confirmed, and notifies the old address', async () => {
  const { visitor, email, id } = await fixture.member()
  const next = fixture.newEmail()
  const asked = await visitor.submitForm(await visitor.open('/portal/settings/security'), 'Send link to new address', { email: next })
  expect(asked.result).toEqual({ email: next })
  expect((await fixture.signIn(fixture.visitor(), email)).path).toBe('/portal')
  const asking = await fixture.mailbox.next(email)
  expect(asking.subject).toBe('Request to change your email')
  expect(asking.text).toContain(next)
  const page = await visitor.submitForm(await visitor.open(linkIn(await fixture.mailbox.next(next))), 'Confirm email')
  expect(page.text).toContain('Email changed.')
  expect((await fixture.mailbox.next(email, 2)).text).toContain(next)
  expect((await fixture.signIn(fixture.visitor(), next)).path).toBe('/portal')
  expect((await fixture.signIn(fixture.visitor(), email)).text).toContain('Email address or password is not correct.')
  expect(await fixture.sql("SELECT kind FROM ledger_entry WHERE account_id = $1 AND kind = 'starter'", [id])).toEqual([])
})

test.each(['Change password', 'Sign out everywhere'])('"%s" cancels a pending email change', async (button) => {
  const { visitor, email, id } = await fixture.member()
  const next = fixture.newEmail()
  await visitor.submitForm(await visitor.open('/portal/settings/security'), 'Send link to new address', { email: next })
  const link = linkIn(await fixture.mailbox.next(next))
  const opened = await visitor.open(link)
  expect(opened.text).toContain(next)
  await visitor.submitForm(await visitor.open('/portal/settings/security'), button, { currentPassword: goodPassword, password: 'another good password' })
  // Neither the open confirmation page nor the link works any more, and a queued email for the cancelled change is not sent.
  for (const page of [await visitor.submitForm(opened, 'Confirm email'), await visitor.open(link)]) {
    expect(page.text).toContain('This link has already been used or has expired.')
  }
  const context = { publicUrl: fixture.origin, recipient: next }
  const write = emailTemplates({ pool: fixture.pool })['change-email']
  expect([await write(context, { accountId: id, version: 1 }), (await write(context, { accountId: id, version: 2 }))?.subject]).toEqual([
    null,
    'Confirm your new email',
  ])
  expect(await fixture.sql('SELECT email FROM account WHERE id = $1', [id])).toEqual([{ email }])
})

test("a request to change to another account's address gets the usual response and never takes over the address", async () => {
  const [one, two] = [await fixture.member(), await fixture.member()]
  const page = await one.visitor.submitForm(await one.visitor.open('/portal/settings/security'), 'Send link to new address', {
    email: two.email,
    currentPassword: goodPassword,
  })
  expect(page.result).toEqual({ email: two.email })
  expect((await fixture.mailbox.next(two.email)).subject).toBe('You already have an account')
})

test('an address belongs to the first of two accounts that confirm it', async () => {
  const [one, two, shared] = [await fixture.member(), await fixture.member(), fixture.newEmail()]
  const links: string[] = []
  for (const { visitor } of [one, two]) {
    await visitor.submitForm(await visitor.open('/portal/settings/security'), 'Send link to new address', { email: shared })
    // Emails are sent concurrently, so this waits for each email before requesting the next one.
    links.push(linkIn(await fixture.mailbox.next(shared, links.length + 1)))
  }
  const byLink = [one, two].map(async ({ visitor }, nth) => visitor.submitForm(await visitor.open(links[nth] ?? ''), 'Confirm email'))
  const pages = await Promise.all(byLink)
  expect(pages.map(({ text }) => text.includes('Email changed.')).toSorted()).toEqual([false, true])
  expect(await fixture.sql('SELECT 1 FROM account WHERE email = $1', [shared])).toHaveLength(1)
})

test('asks for the two-factor code at sign-in, and accepts each code and recovery code once', async () => {
  const member = await fixture.member()
  const { secret, codes } = await withSecondFactor(member)
  expect((await member.visitor.open('/portal/settings/security')).text).toContain('On. 10 recovery codes left.')
  expect(codes).toHaveLength(10)
  const visitor = fixture.visitor()
  const asked = await fixture.signIn(visitor, member.email)
  expect(asked.path).toBe('/sign-in/code')
  expect((await visitor.open('/portal')).path).toMatch(/^\/sign-in/)
  expect((await visitor.submitForm(asked, 'Sign in', { code: '000000' })).text).toContain('Code is not correct.')
  const code = codeNow(secret, 1)
  expect((await visitor.submitForm(asked, 'Sign in', { code })).path).toBe('/portal')
  const replayed = fixture.visitor()
  const second = await fixture.signIn(replayed, member.email)
  expect((await replayed.submitForm(second, 'Sign in', { code })).text).toContain('Code is not correct.')
  const [recovery = ''] = codes
  expect((await replayed.submitForm(second, 'Sign in', { code: recovery.toUpperCase() })).path).toBe('/portal')
  const third = fixture.visitor()
  expect((await third.submitForm(await fixture.signIn(third, member.email), 'Sign in', { code: recovery })).text).toContain('Code is not correct.')
})

test('accepts a code in only one of ten concurrent sign-ins', async () => {
  const member = await fixture.member()
  const { codes } = await withSecondFactor(member)
  const [code = ''] = codes
  const pages = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const visitor = fixture.visitor()
      return visitor.submitForm(await fixture.signIn(visitor, member.email), 'Sign in', { code })
    }),
  )
  expect(pages.filter(({ path }) => path === '/portal')).toHaveLength(1)
})

test('limits two-factor attempts', async () => {
  const member = await fixture.member()
  await withSecondFactor(member)
  const visitor = fixture.visitor()
  const asked = await fixture.signIn(visitor, member.email)
  const pages = await Promise.all(Array.from({ length: 14 }, (_, n) => visitor.submitForm(asked, 'Sign in', { code: String(100_000 + n) })))
  expect(pages.filter(({ text }) => text.includes('Too many attempts.')).length).toBe(4)
})

test('rejects a two-factor step that started before a password change', async () => {
  const member = await fixture.member()
  const { secret } = await withSecondFactor(member)
  const visitor = fixture.visitor()
  const asked = await fixture.signIn(visitor, member.email)
  await member.visitor.submitForm(await member.visitor.open('/portal/settings/security'), 'Change password', {
    currentPassword: goodPassword,
    password: 'another good password',
  })
  expect((await visitor.submitForm(asked, 'Sign in', { code: codeNow(secret, 1) })).text).toContain('Sign-in took too long. Start again.')
})

test('turns two-factor sign-in off with a code', async () => {
  const member = await fixture.member()
  const { codes } = await withSecondFactor(member)
  const { visitor, email } = member
  const page = await visitor.open('/portal/settings/security')
  expect((await visitor.submitForm(page, 'Turn off', { code: '000000' })).text).toContain('Code is not correct.')
  expect((await visitor.submitForm(page, 'Turn off', { code: codes[0] ?? '' })).status).toBe(200)
  expect((await visitor.open('/portal/settings/security')).text).toContain('Off Turn it on')
  expect((await fixture.signIn(fixture.visitor(), email)).path).toBe('/portal')
})

test('stores two-factor secrets only encrypted or hashed', async () => {
  const member = await fixture.member()
  const { secret, codes } = await withSecondFactor(member)
  const rows = await fixture.sql<{ row: string }>(
    `SELECT encode(secret, 'escape') AS row FROM second_factor WHERE account_id = $1 UNION ALL SELECT encode(hash, 'escape') FROM recovery_code WHERE account_id = $1`,
    [member.id],
  )
  const kept = rows.map(({ row }) => row).join()
  expect(rows).toHaveLength(11)
  for (const word of [secret, ...codes]) expect(kept).not.toContain(word)
})

test('closing an account revokes its keys, ends its sessions and releases its email', async () => {
  const { visitor, email, id } = await fixture.member()
  const { key } = getData(
    await visitor.call('keys.create', 'mutation', { mode: 'live', name: 'Last', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }),
  )
  const call = () => fetch(`${fixture.origin}/v1/rates?limit=1`, { headers: { authorization: `Bearer ${key}` } })
  expect((await call()).status).toBe(200)
  const page = await visitor.open('/portal/settings/account')
  expect((await visitor.submitForm(page, 'Close account', { email: 'other@example.test' })).text).toContain('Enter the email address you sign in with.')
  expect((await visitor.submitForm(page, 'Close account', { email })).text).toContain('Your account is closed.')
  expect((await visitor.open('/portal')).path).toMatch(/^\/sign-in/)
  const refused = await call()
  expect([refused.status, (await refused.json()).error]).toEqual([403, 'key_revoked'])
  expect((await fixture.signIn(fixture.visitor(), email)).text).toContain('Email address or password is not correct.')
  const [row] = await fixture.sql<{ email: string; password_hash: null }>('SELECT email, password_hash FROM account WHERE id = $1', [id])
  expect(row?.email).not.toContain(email)
  expect(row?.password_hash).toBeNull()
  const again = fixture.visitor()
  await fixture.signUp(again, email)
  expect((await fixture.confirm(again, email, 2)).path).toBe('/portal/welcome')
})

test('lists changes with time and IP address', async () => {
  const { visitor } = await fixture.member()
  await visitor.submitForm(await visitor.open('/portal/settings'), 'Save name', { name: 'Ada Ltd' })
  const page = await visitor.open('/portal/settings/account')
  expect(page.text).toContain('Name changed')
  expect(page.text).toContain('from 127.0.0.1')
  // The time is focusable and machine-readable.
  expect(page.html).toMatch(/<time dateTime="\d{4}-\d\d-\d\dT[\d:.]+Z"[^>]* tabindex="0"/i)
  expect((await visitor.open('/portal/settings/notifications')).html).toContain('href="/portal/billing/alerts"')
  const { lines } = getData(await visitor.call('profile.history', 'query', { before: null }))
  // The audit log outlives the account, so it contains no names.
  expect(lines[0]).toMatchObject({ action: 'name.change', before: null, after: null, address: '127.0.0.1' })
})

test('the audit log is append-only', async () => {
  const { id } = await fixture.member()
  await expect(fixture.sql('DELETE FROM audit_entry WHERE account_id = $1', [id])).rejects.toThrow('append-only')
  await expect(fixture.sql('UPDATE audit_entry SET actor = $1', ['nobody'])).rejects.toThrow('append-only')
})

test('ends the least recently used session when there are more than fifty', async () => {
  const { email, visitor, id } = await fixture.member()
  await fixture.sql(
    `INSERT INTO portal_session (id, account_id, version, expires_at, seen_at, agent)
     SELECT 'ses_' || lpad(n::text, 24, '0'), $1, session_version, now() + interval '1 day', now() - make_interval(hours => n), 'Old'
     FROM account, generate_series(1, 49) n WHERE account.id = $1`,
    [id],
  )
  expect(getData(await visitor.call('session.list', 'query'))).toHaveLength(50)
  await fixture.signIn(fixture.visitor(), email)
  const lines = getData(await visitor.call('session.list', 'query')) as { id: string }[]
  expect(lines).toHaveLength(50)
  expect(lines.map((line) => line.id)).not.toContain(`ses_${'49'.padStart(24, '0')}`)
  expect(lines.map((line) => line.id)).toContain(`ses_${'48'.padStart(24, '0')}`)
  const [active] = await fixture.sql<{ n: number }>('SELECT count(*)::int AS n FROM portal_session WHERE account_id = $1 AND ended_at IS NULL', [id])
  expect(active?.n).toBe(50)
})

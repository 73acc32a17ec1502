import { expect, test } from 'vitest'
import { letterWriters } from '#server/auth/auth-letters.ts'
import { codeAt, stepAt } from '#server/auth/totp.ts'
import { linkIn } from './support/mailbox.ts'
import { goodPassword, type Member, portalStage } from './support/portal-stage.ts'
import { dataOf, type Page } from './support/visitor.ts'

const stage = portalStage()

const secretOn = (page: Page): string => (/([A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec(page.text)?.[0] ?? '').replaceAll(' ', '')
const codesOn = (page: Page): string[] => [...new Set(page.text.match(/\b[a-z2-7]{4}(?:-[a-z2-7]{4}){6}\b/g) ?? [])]
/** Code for the current time step, or the next: both are accepted, even if the step ends in between; the previous one isn't. */
const codeNow = (secret: string, steps = 0): string => codeAt(secret, stepAt(Date.now()) + steps)

async function withSecondFactor(member: Member): Promise<{ secret: string; codes: string[]; page: Page }> {
  const { visitor } = member
  const setUp = await visitor.press(await visitor.open('/portal/settings'), 'Set up two-factor sign-in')
  const secret = secretOn(setUp)
  const page = await visitor.press(setUp, 'Turn on', { code: codeNow(secret) })
  return { secret, codes: codesOn(page), page }
}

test('requires the current password', async () => {
  const { visitor, email } = await stage.member()
  const page = await visitor.open('/portal/settings')
  const refused = await visitor.press(page, 'Change password', { currentPassword: 'not the password', password: 'another good password' })
  expect(refused.text).toContain('Current password is not correct.')
  expect(refused.html).not.toContain('another good password')
  expect((await stage.signIn(stage.visitor(), email)).path).toBe('/portal')
})

test('signs out other devices after a password change, but not this one', async () => {
  const { visitor, email } = await stage.member()
  const other = stage.visitor()
  await stage.signIn(other, email)
  const page = await visitor.press(await visitor.open('/portal/settings'), 'Change password', {
    currentPassword: goodPassword,
    password: 'another good password',
  })
  expect(page.text).toContain('Password changed. All other devices have been signed out.')
  expect((await other.open('/portal')).path).toMatch(/^\/sign-in/)
  expect((await visitor.open('/portal')).path).toBe('/portal')
  expect((await stage.mailbox.next(email)).subject).toBe('Your password was changed')
  expect((await stage.signIn(stage.visitor(), email, 'another good password')).path).toBe('/portal')
})

test('changes the email once the link is confirmed, and notifies the old address', async () => {
  const { visitor, email, id } = await stage.member()
  const next = stage.newEmail()
  const asked = await visitor.press(await visitor.open('/portal/settings'), 'Send link to new address', { email: next })
  expect(asked.text).toContain(`We've sent a link to ${next} if it can be used.`)
  expect((await stage.signIn(stage.visitor(), email)).path).toBe('/portal')
  const asking = await stage.mailbox.next(email)
  expect(asking.subject).toBe('Request to change your email')
  expect(asking.text).toContain(next)
  const page = await visitor.press(await visitor.open(linkIn(await stage.mailbox.next(next))), 'Confirm email')
  expect(page.text).toContain('Email changed.')
  expect((await stage.mailbox.next(email, 2)).text).toContain(next)
  expect((await stage.signIn(stage.visitor(), next)).path).toBe('/portal')
  expect((await stage.signIn(stage.visitor(), email)).text).toContain('Email address or password is not correct.')
  expect(await stage.sql("SELECT kind FROM ledger_entry WHERE account_id = $1 AND kind = 'starter'", [id])).toEqual([])
})

test.each(['Change password', 'Sign out everywhere'])('"%s" cancels a pending email change', async (button) => {
  const { visitor, email, id } = await stage.member()
  const next = stage.newEmail()
  await visitor.press(await visitor.open('/portal/settings'), 'Send link to new address', { email: next })
  const link = linkIn(await stage.mailbox.next(next))
  const opened = await visitor.open(link)
  expect(opened.text).toContain(next)
  await visitor.press(await visitor.open('/portal/settings'), button, { currentPassword: goodPassword, password: 'another good password' })
  // Covers the open page, the link itself, and an email still in the queue.
  for (const page of [await visitor.press(opened, 'Confirm email'), await visitor.open(link)]) {
    expect(page.text).toContain('This link has already been used or has expired.')
  }
  const context = { publicUrl: stage.origin, recipient: next }
  const write = letterWriters({ pool: stage.pool })['change-email']
  expect([await write(context, { accountId: id, version: 1 }), (await write(context, { accountId: id, version: 2 }))?.subject]).toEqual([
    null,
    'Confirm your new email',
  ])
  expect(await stage.sql('SELECT email FROM account WHERE id = $1', [id])).toEqual([{ email }])
})

test("answers the same for another account's email, and never takes it over", async () => {
  const [one, two] = [await stage.member(), await stage.member()]
  const page = await one.visitor.press(await one.visitor.open('/portal/settings'), 'Send link to new address', {
    email: two.email,
    currentPassword: goodPassword,
  })
  expect(page.text).toContain(`We've sent a link to ${two.email} if it can be used.`)
  expect((await stage.mailbox.next(two.email)).subject).toBe('You already have an account')
})

test('gives an address to the first of two accounts that confirm it', async () => {
  const [one, two, shared] = [await stage.member(), await stage.member(), stage.newEmail()]
  for (const { visitor } of [one, two]) {
    await visitor.press(await visitor.open('/portal/settings'), 'Send link to new address', { email: shared })
  }
  const links = [linkIn(await stage.mailbox.next(shared, 1)), linkIn(await stage.mailbox.next(shared, 2))]
  const byLink = [one, two].map(async ({ visitor }, nth) => visitor.press(await visitor.open(links[nth] ?? ''), 'Confirm email'))
  const pages = await Promise.all(byLink)
  expect(pages.map(({ text }) => text.includes('Email changed.')).toSorted()).toEqual([false, true])
  expect(await stage.sql('SELECT 1 FROM account WHERE email = $1', [shared])).toHaveLength(1)
})

test('asks for the two-factor code at sign-in, and accepts each code and recovery code once', async () => {
  const member = await stage.member()
  const { secret, codes, page } = await withSecondFactor(member)
  expect(page.text).toContain('Two-factor sign-in is on.')
  expect(codes).toHaveLength(10)
  const visitor = stage.visitor()
  const asked = await stage.signIn(visitor, member.email)
  expect(asked.path).toBe('/sign-in/code')
  expect((await visitor.open('/portal')).path).toMatch(/^\/sign-in/)
  expect((await visitor.press(asked, 'Sign in', { code: '000000' })).text).toContain('Code is not correct.')
  const code = codeNow(secret, 1)
  expect((await visitor.press(asked, 'Sign in', { code })).path).toBe('/portal')
  const replayed = stage.visitor()
  const second = await stage.signIn(replayed, member.email)
  expect((await replayed.press(second, 'Sign in', { code })).text).toContain('Code is not correct.')
  const [recovery = ''] = codes
  expect((await replayed.press(second, 'Sign in', { code: recovery.toUpperCase() })).path).toBe('/portal')
  const third = stage.visitor()
  expect((await third.press(await stage.signIn(third, member.email), 'Sign in', { code: recovery })).text).toContain('Code is not correct.')
})

test('accepts a code in one of ten concurrent sign-ins', async () => {
  const member = await stage.member()
  const { codes } = await withSecondFactor(member)
  const [code = ''] = codes
  const pages = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const visitor = stage.visitor()
      return visitor.press(await stage.signIn(visitor, member.email), 'Sign in', { code })
    }),
  )
  expect(pages.filter(({ path }) => path === '/portal')).toHaveLength(1)
})

test('limits two-factor attempts', async () => {
  const member = await stage.member()
  await withSecondFactor(member)
  const visitor = stage.visitor()
  const asked = await stage.signIn(visitor, member.email)
  const pages = await Promise.all(Array.from({ length: 14 }, (_, n) => visitor.press(asked, 'Sign in', { code: String(100_000 + n) })))
  expect(pages.filter(({ text }) => text.includes('Too many attempts.')).length).toBe(4)
})

test('rejects a two-factor step that started before a password change', async () => {
  const member = await stage.member()
  const { secret } = await withSecondFactor(member)
  const visitor = stage.visitor()
  const asked = await stage.signIn(visitor, member.email)
  await member.visitor.press(await member.visitor.open('/portal/settings'), 'Change password', {
    currentPassword: goodPassword,
    password: 'another good password',
  })
  expect((await visitor.press(asked, 'Sign in', { code: codeNow(secret, 1) })).text).toContain('Sign-in took too long. Start again.')
})

test('turns two-factor sign-in off with a code', async () => {
  const member = await stage.member()
  const { codes } = await withSecondFactor(member)
  const { visitor, email } = member
  const page = await visitor.open('/portal/settings')
  expect((await visitor.press(page, 'Turn off', { code: '000000' })).text).toContain('Code is not correct.')
  expect((await visitor.press(page, 'Turn off', { code: codes[0] ?? '' })).text).toContain('Two-factor sign-in is off.')
  expect((await stage.signIn(stage.visitor(), email)).path).toBe('/portal')
})

test('stores two-factor secrets only encrypted or hashed', async () => {
  const member = await stage.member()
  const { secret, codes } = await withSecondFactor(member)
  const rows = await stage.sql<{ row: string }>(
    `SELECT encode(secret, 'escape') AS row FROM second_factor WHERE account_id = $1 UNION ALL SELECT encode(hash, 'escape') FROM recovery_code WHERE account_id = $1`,
    [member.id],
  )
  const kept = rows.map(({ row }) => row).join()
  expect(rows).toHaveLength(11)
  for (const word of [secret, ...codes]) expect(kept).not.toContain(word)
})

test('closes an account, ends its keys and sessions, and frees the email', async () => {
  const { visitor, email, id } = await stage.member()
  const { key } = dataOf(
    await visitor.call('keys.create', 'mutation', { mode: 'live', name: 'Last', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }),
  )
  const call = () => fetch(`${stage.origin}/v1/rates?limit=1`, { headers: { authorization: `Bearer ${key}` } })
  expect((await call()).status).toBe(200)
  const page = await visitor.open('/portal/settings')
  expect((await visitor.press(page, 'Close account', { email: 'other@example.test' })).text).toContain('Enter the email address of this account.')
  expect((await visitor.press(page, 'Close account', { email })).text).toContain('Your account is closed.')
  expect((await visitor.open('/portal')).path).toMatch(/^\/sign-in/)
  const refused = await call()
  expect([refused.status, (await refused.json()).error]).toEqual([403, 'key_revoked'])
  expect((await stage.signIn(stage.visitor(), email)).text).toContain('Email address or password is not correct.')
  const [row] = await stage.sql<{ email: string; password_hash: null }>('SELECT email, password_hash FROM account WHERE id = $1', [id])
  expect(row?.email).not.toContain(email)
  expect(row?.password_hash).toBeNull()
  const again = stage.visitor()
  await stage.signUp(again, email)
  expect((await stage.confirm(again, email, 2)).path).toBe('/portal/welcome')
})

test('lists every change with its IP', async () => {
  const { visitor } = await stage.member()
  await visitor.press(await visitor.open('/portal/settings'), 'Save name', { name: 'Ada Ltd' })
  const page = await visitor.open('/portal/settings')
  expect(page.text).toContain('Name changed')
  expect(page.text).toContain('from 127.0.0.1')
  // Its time is focusable, and scripts can read it in machine format.
  expect(page.html).toMatch(/<time dateTime="\d{4}-\d\d-\d\dT[\d:.]+Z"[^>]* tabindex="0"/i)
  expect(page.html).toContain('href="/portal/billing#alerts"')
  const { lines } = dataOf(await visitor.call('profile.history', 'query', { before: null }))
  // The audit log outlives the account, so it contains no names.
  expect(lines[0]).toMatchObject({ action: 'name.change', before: null, after: null, address: '127.0.0.1' })
})

test('the audit log is append-only', async () => {
  const { id } = await stage.member()
  await expect(stage.sql('DELETE FROM audit_entry WHERE account_id = $1', [id])).rejects.toThrow('append-only')
  await expect(stage.sql('UPDATE audit_entry SET actor = $1', ['nobody'])).rejects.toThrow('append-only')
})

test('keeps fifty sessions at most, ends the least recently used one, and lists all active ones', async () => {
  const { email, visitor, id } = await stage.member()
  await stage.sql(
    `INSERT INTO portal_session (id, account_id, version, expires_at, seen_at, agent)
     SELECT 'ses_' || lpad(n::text, 24, '0'), $1, session_version, now() + interval '1 day', now() - make_interval(hours => n), 'Old'
     FROM account, generate_series(1, 49) n WHERE account.id = $1`,
    [id],
  )
  expect(dataOf(await visitor.call('session.list', 'query'))).toHaveLength(50)
  await stage.signIn(stage.visitor(), email)
  const lines = dataOf(await visitor.call('session.list', 'query')) as { id: string }[]
  expect(lines).toHaveLength(50)
  expect(lines.map((line) => line.id)).not.toContain(`ses_${'49'.padStart(24, '0')}`)
  expect(lines.map((line) => line.id)).toContain(`ses_${'48'.padStart(24, '0')}`)
  const [active] = await stage.sql<{ n: number }>('SELECT count(*)::int AS n FROM portal_session WHERE account_id = $1 AND ended_at IS NULL', [id])
  expect(active?.n).toBe(50)
})

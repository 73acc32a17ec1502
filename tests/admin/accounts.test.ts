/** Tests the account pages and actions of the admin area. */
import { expect, test } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { createKey } from '#server/keys/keys.ts'
import { emptyAccount } from '#server/self-service/close-account.ts'
import type { Member } from '../portal/support/portal-fixture.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getData, getError, type Page } from '../portal/support/visitor.ts'
import { type ApiAnswer, call, readBody } from '../support/accounts.ts'

const fixture = portalFixture()

const why = 'Because the test says so.'

const liveKey = (member: Member) => createKey(fixture.pool, { accountId: member.id, mode: 'live', scopes: ['rates:read'], name: 'Server' })

async function api(key: string, path = '/rates?limit=2'): Promise<ApiAnswer> {
  return call(`${fixture.origin}/v1`, path, key)
}

const getPath = ({ publicId }: Member, more = ''): string => `/admin/accounts/${publicId}${more}`

/** Collapses whitespace, because emails and pages wrap lines differently. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

test('declining an account sends the previewed email; the account can still be approved later', async () => {
  const [admin, person] = [await fixture.administrator(), await fixture.newcomer()]
  const { key } = await liveKey(person)
  const purpose = 'A page that compares savings accounts.'
  expect((await person.visitor.submitForm(await person.visitor.open('/portal'), 'Save', { purpose })).status).toBe(200)
  await fixture.sql("UPDATE account SET email_verified_at = '2001-01-01' WHERE id = $1", [person.id])
  expect((await admin.visitor.open('/admin')).text).toMatch(/\d+ accounts? to review Oldest: \d+ days ago/)
  const queue = await admin.visitor.open('/admin/review')
  expect(queue.text).toMatch(new RegExp(`Test calls (?:Select )?${person.email} `))

  const page = await admin.visitor.open(`/admin/review/${person.publicId}`)
  for (const fact of [`Intended use ${purpose}`, 'Sign-in method Password', 'Email domain example.test: ', 'Signed up from 127.0.0.1: ', 'Not used yet'])
    expect(page.text).toContain(fact)
  const filled = { customerMessage: 'We could not tell\nwho you are. ', reason: why }
  const shown = await preview(admin, person, { kind: 'decline', customerMessage: filled.customerMessage })
  expect(shown.lines.join(' ')).toContain('In review → Declined.')
  const again = await preview(admin, person, { kind: 'decline', customerMessage: 'We do not serve banks.' })
  expect(again.message.text).toContain('Reason: We do not serve banks.')
  expect((await api(key)).body.reason).toBe('review_pending')
  expect((await admin.visitor.submitForm(page, 'Preview', filled)).status).toBe(200)
  const done = await admin.visitor.open('/admin/review?done=decline')
  expect(done.text).toContain('Account declined. We’ve emailed the customer.')

  const emailMessage = await fixture.mailbox.next(person.email, 2)
  expect(shown.message).toMatchObject({ recipient: person.email, subject: emailMessage.subject })
  expect(plain(shown.message.text)).toContain(plain(emailMessage.text))
  expect(emailMessage.text).toContain('Reason: We could not tell who you are.')
  expect(emailMessage.text).not.toContain(why)
  expect((await admin.visitor.open('/admin/review')).text).not.toContain(person.email)
  expect((await admin.visitor.open(`/admin/review/${person.publicId}`)).path).toBe(getPath(person))
  expect((await api(key)).body).toMatchObject({
    error: 'account_blocked',
    reason: 'review_declined',
    message: 'Your account was not approved for live keys. Reason: We could not tell who you are.',
  })
  for (const path of ['/portal', '/portal/keys'])
    expect((await person.visitor.open(path)).text).toContain('We did not approve your account: We could not tell who you are.')

  const account = await admin.visitor.open(getPath(person))
  expect(account.text).toContain('Reason shown to the customer: We could not tell who you are.')
  const approved = await admin.visitor.submitForm(account, 'Approve account', { reason: why })
  expect(approved.status).toBe(200)
  const welcome = await fixture.mailbox.next(person.email, 3)
  expect([welcome.subject, account.text.includes(plain(welcome.text))]).toEqual(['Your account is approved', true])
  expect((await api(key)).status).toBe(200)

  // The customer's history shows the action, but neither the reason nor the administrator.
  const history = await person.visitor.open('/portal/settings/account')
  expect(history.text).toMatch(/Account approved [^.]*by support/)
  expect(history.text).toContain('Account not approved')
  expect(history.html).not.toContain(why)
  const { body } = await person.visitor.call('profile.history', 'query', { before: null })
  expect(JSON.stringify(body)).not.toMatch(new RegExp(`${why}|${admin.publicId}|declineReason`))
}, 60_000)

test('closing an account deletes the reasons that administrators entered', async () => {
  const [admin, member] = [await fixture.administrator(), await fixture.member()]
  await fixture.sql(
    "UPDATE account SET declined_at = now(), decline_reason = 'We could not tell who Jane Doe is.', block_reason_private = 'Jane Doe again.' WHERE id = $1",
    [member.id],
  )
  await inTransaction(fixture.pool, (client) => emptyAccount(client, member.id))
  const [row] = await fixture.sql<{ row: object }>('SELECT to_jsonb(a) AS row FROM account a WHERE id = $1', [member.id])
  expect(row?.row).toMatchObject({ declined_at: null, decline_reason: null, block_reason_private: null, block_reason: 'The account is closed.' })
  expect((await admin.visitor.open(getPath(member))).html).not.toContain('Jane Doe')
})

test('shows failed calls, request details and the ledger of an account', async () => {
  const [admin, member] = [await fixture.administrator(), await fixture.member({ credits: 5 })]
  const { key } = await liveKey(member)
  await api(key, '/rates?limit=2')
  const { body } = await api(key, '/rates?tpye=isa')
  const account = await admin.visitor.open(getPath(member))
  expect(account.text).toContain('400 invalid_request')
  expect(account.text).toContain('GET / rates')
  await expect.poll(async () => (await admin.visitor.open(getPath(member, `/requests/${body.requestId}`))).text).toContain(plain(body.message))
  const calls = await admin.visitor.open(getPath(member, '/requests?failed=yes'))
  expect([calls.text.includes('400 invalid_request'), calls.text.includes('limit=2')]).toEqual([true, false])
  const ledger = await admin.visitor.open(getPath(member, '/ledger'))
  expect(ledger.text).toMatch(/Balance \d.{1,40} UTC GET \/ rates .*−2 3 \d.{1,40} UTC Adjustment .*\+5 5 Brought forward 0/)
  for (const path of ['/ledger', '/requests', '/requests/req_0', '']) expect((await admin.visitor.open(`/admin/accounts/acc_0${path}`)).status).toBe(404)
  // A request is found only under the URL of the account that made it.
  const other = await fixture.member()
  expect((await admin.visitor.open(getPath(other, `/requests/${body.requestId}`))).status).toBe(404)
})

/** Returns the preview of a change to an account. */
async function preview({ visitor }: Member, { publicId: account }: Member, change: object) {
  return getData(await visitor.call('admin.accounts.preview', 'query', { account, ...change }))
}

/** Previews a change to an account and submits its form, which contains the field `at`. Returns the text of the preview and the resulting account page. */
async function decide(
  admin: Member,
  member: Member,
  at: string,
  change: { kind: string } & Record<string, string>,
): Promise<readonly [shown: string, done: Page]> {
  const page = await admin.visitor.open(getPath(member))
  // Finds the form that contains this field.
  const form = page.html.match(/<form[\s\S]*?<\/form>/g)?.find((one) => one.includes(`id="${at}"`)) ?? expect.unreachable(`There is no ${at}.`)
  const { kind: _, ...fields } = change
  const { lines } = await preview(admin, member, change)
  expect((await admin.visitor.submitForm({ ...page, html: form }, 'Preview', { ...fields, reason: why })).status).toBe(200)
  return [lines.join(' '), await admin.visitor.open(getPath(member))]
}

test('previews changes to an account and its keys, and applies them to the next call', async () => {
  const [admin, member] = [await fixture.administrator(), await fixture.member()]
  const { id, key } = await liveKey(member)
  const [planShown, planDone] = await decide(admin, member, 'plan-plan', { kind: 'plan', plan: 'business' })
  expect(planShown).toContain('Plan: Hobby → Business. Calls per minute for each live key: 60 → 300. Live calls per day: 1,000 → 20,000.')
  expect(planDone.text).toContain('Plan Business')
  expect(planDone.text).toContain('Limits Business:')
  expect((await api(key)).headers.get('x-ratelimit-limit')).toBe('300')

  const [limitsShown] = await decide(admin, member, 'limits-perMinute', { kind: 'limits', perMinute: '1,234', perDay: '' })
  expect(limitsShown).toContain(
    'Calls per minute for each live key: 300 → 1,234. Live calls per day: 20,000, unchanged. These limits stay in effect when the plan changes.',
  )
  expect((await api(key)).headers.get('x-ratelimit-limit')).toBe('1234')

  const [blockShown, blocked] = await decide(admin, member, 'block-customerMessage', { kind: 'block', customerMessage: 'A check is under way.' })
  expect(blockShown).toContain('Account: Approved → Blocked.')
  expect(blocked.text).toContain(`Reason shown to the customer: A check is under way. Internal reason: ${why}`)
  expect((await api(key)).body).toMatchObject({ error: 'account_blocked', reason: 'A check is under way.' })
  expect((await member.visitor.open('/portal')).html).not.toContain(why)
  await admin.visitor.submitForm(blocked, 'Unblock account', { reason: why })
  expect((await api(key)).status).toBe(200)

  const [keyShown] = await decide(admin, member, 'key-id', { kind: 'key', id })
  expect(keyShown).toContain('Active → Revoked.')
  expect((await api(key)).body.error).toBe('key_revoked')
  const { text } = await admin.visitor.open(getPath(member))
  expect(text).toMatch(
    /Changed the plan from hobby to business Details plan\.change from 127\.0\.0\.1 plan: hobby → business Who \S+@example\.test Why Because the test says so\./,
  )
})

test('an administrator can enable webhooks, end sessions and add internal notes', async () => {
  const [admin, member] = [await fixture.administrator(), await fixture.member()]
  // An approved account can enable webhooks itself, unless an administrator has disabled them.
  await member.visitor.submitForm(await member.visitor.open('/portal/webhooks'), 'Enable webhooks')
  const off = { account: member.publicId, isOn: false, reason: why }
  expect((await admin.visitor.call('admin.accounts.setWebhooks', 'mutation', off)).status).toBe(200)
  await member.visitor.submitForm(await member.visitor.open('/portal/webhooks'), 'Request webhooks')
  expect((await admin.visitor.open('/admin/accounts?standing=asked')).text).toContain(member.email)
  const submitForm = async (button: string, fields: Record<string, string>) =>
    admin.visitor.submitForm(await admin.visitor.open(getPath(member)), button, fields)
  expect((await submitForm('Enable webhooks', { reason: '' })).text).toContain('Enter a reason. It is recorded in the audit log.')
  expect((await submitForm('Enable webhooks', { reason: why })).status).toBe(200)
  expect((await member.visitor.open('/portal/webhooks')).text).toContain('No endpoints yet.')
  expect((await admin.visitor.open('/admin/accounts?standing=asked')).text).not.toContain(member.email)
  const note = 'Wrote to us about invoices.'
  expect((await submitForm('Add note', { reason: note })).status).toBe(200)
  expect((await admin.visitor.open(getPath(member))).text).toContain(`${note} `)
  const own = await member.visitor.open('/portal/settings/account')
  expect([own.text.includes('Webhooks enabled'), own.html.includes(note), own.text.includes('account.note')]).toEqual([true, false, false])
  expect((await submitForm('Sign out everywhere', { reason: why })).status).toBe(200)
  expect((await admin.visitor.open(getPath(member))).text).toContain('No active sessions.')
  expect((await member.visitor.open('/portal')).path).toMatch(/^\/sign-in/)
})

test.each<[what: string, procedure: string, input: object, says: string]>([
  ['approving an approved account', 'admin.review.approve', {}, 'This account is already approved.'],
  ['declining an account that is not in review', 'admin.review.decline', { customerMessage: 'No.' }, 'This account is not in review.'],
  ['declining with a blank reason', 'admin.review.decline', { customerMessage: ' \n ' }, 'Enter a reason to show to the customer.'],
  ['unblocking an account that is not blocked', 'admin.accounts.unblock', {}, "This account isn't blocked."],
  ['changing to the same plan', 'admin.accounts.setPlan', { plan: 'hobby' }, 'This account is already on that plan.'],
  ['changing to the same limits', 'admin.accounts.setLimits', { perMinute: null, perDay: null }, 'The account already has these limits.'],
  ['disabling webhooks that are disabled', 'admin.accounts.setWebhooks', { isOn: false }, 'Webhooks are already disabled.'],
])('rejects %s, and writes no audit entry', async (_, procedure, input, says) => {
  const [admin, member] = [await fixture.administrator(), await fixture.member()]
  const answer = await admin.visitor.call(procedure, 'mutation', { account: member.publicId, reason: why, ...input })
  expect([answer.status, Object.values(getError(answer).data.fields)]).toEqual([400, [says]])
  expect(await fixture.sql("SELECT FROM audit_entry WHERE account_id = $1 AND actor = 'admin'", [member.id])).toEqual([])
})

test('an administrator cannot block their own account or change a closed account', async () => {
  const [admin, member] = [await fixture.administrator(), await fixture.member()]
  const block = async (account: string) =>
    readBody(JSON.stringify((await admin.visitor.call('admin.accounts.block', 'mutation', { account, reason: why, customerMessage: '' })).body))
  expect(JSON.stringify(await block(admin.publicId))).toContain("You can't block your own account.")
  await fixture.sql("UPDATE account SET closed_at = now(), state = 'blocked', email = 'closed:' || public_id WHERE id = $1", [member.id])
  expect(JSON.stringify(await block(member.publicId))).toContain('This account is closed.')
  const page = await admin.visitor.open(getPath(member))
  expect([page.text.includes('Closed'), page.html.includes('Block account')]).toEqual([true, false])
})

test('an administrator cannot change their own plan or limits', async () => {
  const admin = await fixture.administrator()
  const inputs = { setPlan: { plan: 'enterprise' }, setLimits: { perMinute: 1_000, perDay: null } }
  for (const [action, input] of Object.entries(inputs)) {
    const answer = await admin.visitor.call(`admin.accounts.${action}`, 'mutation', { account: admin.publicId, reason: why, ...input })
    expect([action, JSON.stringify(answer.body)]).toEqual([action, expect.stringContaining("You can't change your own account. Ask another administrator.")])
  }
  expect(await fixture.sql('SELECT plan FROM account WHERE id = $1', [admin.id])).toEqual([{ plan: 'hobby' }])
})

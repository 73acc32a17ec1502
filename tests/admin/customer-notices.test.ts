/** Tests the emails that customers get, and their previews. */
import { expect, test } from 'vitest'
import { blockAccount } from '#server/accounts/accounts.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getData } from '../portal/support/visitor.ts'

const fixture = portalFixture()
const why = 'Because the test says so.'

test('emails the previewed text to the owner when an administrator blocks or unblocks an account', async () => {
  const [admin, member] = [await fixture.administrator(), await fixture.member()]
  const account = member.publicId
  const reason = 'Unusual calls.'
  const preview = getData(await admin.visitor.call('admin.accounts.preview', 'query', { account, kind: 'block', customerMessage: reason }))
  expect(preview.message).toMatchObject({ recipient: member.email, subject: 'Your account is blocked', text: expect.stringContaining(`Reason: ${reason}`) })
  expect((await admin.visitor.call('admin.accounts.block', 'mutation', { account, customerMessage: reason, reason: why })).status).toBe(200)
  const blocked = await fixture.mailbox.next(member.email)
  expect(blocked).toMatchObject({ subject: 'Your account is blocked', text: expect.stringContaining(`Reason: ${reason}`) })
  expect(blocked.text).not.toContain(why)
  expect((await admin.visitor.open(`/admin/accounts/${account}`)).text).toContain('We’ll email the owner that the block has been lifted.')
  expect((await admin.visitor.call('admin.accounts.unblock', 'mutation', { account, reason: why })).status).toBe(200)
  const subjects = () => fixture.mailbox.to(member.email).map(({ subject }) => subject)
  await expect.poll(subjects, { timeout: 20_000 }).toContain('Your account is no longer blocked')
})

test('the email about a block omits a missing reason, and an unconfirmed address gets no email', async () => {
  const [admin, member] = [await fixture.administrator(), await fixture.member()]
  const preview = async () =>
    getData(await admin.visitor.call('admin.accounts.preview', 'query', { account: member.publicId, kind: 'block', customerMessage: '' })).message
  expect((await preview()).text).not.toContain('Reason')
  await fixture.sql('UPDATE account SET email_verified_at = NULL WHERE id = $1', [member.id])
  expect((await preview()).recipient).toBeNull()
  await admin.visitor.call('admin.accounts.block', 'mutation', { account: member.publicId, customerMessage: '', reason: why })
  expect(await fixture.sql("SELECT id FROM email WHERE kind = 'account-blocked' AND recipient = $1", [member.email])).toEqual([])
})

test('the incident preview shows how many subscribers will be emailed', async () => {
  const admin = await fixture.administrator()
  const planned = { title: 'Rates are delayed', impact: 'delayed', state: 'investigating', body: 'We look for the cause.' }
  const lines = async () => getData(await admin.visitor.call('admin.incidents.preview', 'query', planned)).lines.join(' ') as string
  expect(await lines()).toContain('No one will be emailed: there are no subscribers.')
  expect(await lines()).toContain('Delayed data, Investigating: We look for the cause.')
  await fixture.sql(
    "INSERT INTO status_subscriber (public_id, email, created_at, confirmed_at) VALUES ('sub_0000000000000001', 'reader@example.test', now(), now())",
  )
  await fixture.sql("INSERT INTO status_subscriber (public_id, email, created_at) VALUES ('sub_0000000000000002', 'pending@example.test', now())")
  expect(await lines()).toContain('We’ll email 1 subscriber.')
  await fixture.sql('DELETE FROM status_subscriber')
  const { id } = getData(await admin.visitor.call('admin.incidents.open', 'mutation', { ...planned, startedAt: '', reason: why }))
  expect((await fixture.visitor().open('/status')).text).toContain('Data is delayed.')
  await admin.visitor.call('admin.incidents.update', 'mutation', { ...planned, id, state: 'resolved', reason: why })
  const page = await admin.visitor.open(`/admin/incidents/${id}`)
  expect([page.text.includes('Add an update'), page.text.includes('Reopen incident')]).toEqual([false, true])
})

test('a support ticket shows the customer’s balance, plan and payments, and the account page lists its tickets', async () => {
  const [admin, member] = [await fixture.administrator(), await fixture.member()]
  const { id } = getData(await member.visitor.call('support.open', 'mutation', { topic: 'payment', text: 'My payment is missing.' }))
  const sent = "We've received your message."
  expect((await member.visitor.open(`/portal/help/${id}?done=sent`)).text).toContain(sent)
  const ticket = await admin.visitor.open(`/admin/support/${id}`)
  for (const shown of ['Balance', 'Plan Hobby, approved', 'No payments or payment attempts.', 'Close without replying']) expect(ticket.text).toContain(shown)
  expect((await admin.visitor.open(`/admin/accounts/${member.publicId}`)).html).toContain(`href="/admin/support/${id}"`)
  await admin.visitor.submitForm(ticket, 'Send reply', { text: 'It has arrived.' })
  expect((await admin.visitor.open(`/admin/support/${id}`)).text).not.toContain('Close without replying')
  expect((await member.visitor.open(`/portal/help/${id}?done=sent`)).text).not.toContain(sent)
  expect((await member.visitor.open('/portal/settings/account')).text).toContain('Support replied to your message')
})

test('signs out all other devices and keeps this one signed in', async () => {
  const member = await fixture.member()
  const other = fixture.visitor()
  await fixture.signIn(other, member.email)
  const page = await member.visitor.open('/portal/settings/security')
  expect(page.text).toContain('Sign out everywhere, including here')
  expect((await member.visitor.submitForm(page, 'Sign out all other devices')).result).toEqual({ next: null })
  expect((await member.visitor.open('/portal')).path).toBe('/portal')
  expect((await other.open('/portal')).path).toMatch(/^\/sign-in/)
  expect((await member.visitor.open('/portal/settings/account')).text).toContain('All other devices signed out')
})

test('blocking an account again from the command line sends no second email', async () => {
  const { email } = await fixture.member()
  const countQueued = async () => (await fixture.sql("SELECT FROM email WHERE kind = 'account-blocked' AND recipient = $1", [email])).length
  await blockAccount(fixture.pool, email, 'Unusual calls.')
  await fixture.mailbox.next(email)
  const before = await countQueued()
  await blockAccount(fixture.pool, email, 'Unusual calls, again.')
  expect((await countQueued()) - before).toBe(0)
})

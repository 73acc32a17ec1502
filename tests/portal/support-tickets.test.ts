import { expect, test } from 'vitest'
import { blockAccount } from '#server/accounts/accounts.ts'
import { verifies } from '../requirements/verifies.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { teamMember } from './support/teams.ts'
import { getData, getError, type Visitor } from './support/visitor.ts'

const fixture = portalFixture()

const open = (visitor: Visitor, text: string, topic = 'payment') => visitor.call('support.open', 'mutation', { topic, text })

const read = async (visitor: Visitor, id: string) => getData(await visitor.call('support.read', 'query', { id }))

verifies('portal/contact-support', async () => {
  const [{ email: adminEmail }, { visitor, email }] = [await fixture.administrator(), await fixture.member()]
  const page = await visitor.open('/portal/help')
  expect(page.text).toContain('We usually reply within one working day.')
  const empty = await visitor.submitForm(page, 'Send message', { text: '  ' })
  expect([empty.status, empty.text]).toEqual([400, expect.stringContaining('Choose a topic.')])
  const text = 'I paid £20 this morning.\nThe credits are missing.'
  const { result } = await visitor.submitForm(page, 'Send message', { topic: 'payment', text })
  expect((await visitor.open('/portal/help')).html).toContain(`href="/portal/help/${result.id}"`)
  const shown = await visitor.open(`/portal/help/${result.id}?done=sent`)
  expect(shown.text).toContain("We've received your message.")
  expect(shown.text).toContain('Waiting for our reply')
  const isMail = (one: { text: string }) => one.text.includes(`/admin/support/${result.id}`)
  await expect.poll(() => fixture.mailbox.to(adminEmail).filter(isMail), { timeout: 20_000 }).toHaveLength(1)
  const [mail] = fixture.mailbox.to(adminEmail).filter(isMail)
  expect(mail).toMatchObject({ subject: `Support: message from ${email}`, text: expect.stringContaining('The credits are missing.') })
})

verifies('portal/support-answer', async () => {
  const [admin, { visitor, email, publicId }] = [await fixture.administrator(), await fixture.member()]
  const { id } = getData(await open(visitor, 'Where are my credits?'))
  expect((await admin.visitor.open('/admin/support')).html).toContain(`href="/admin/support/${id}"`)
  expect((await admin.visitor.open('/admin')).html).toContain('href="/admin/support"')
  const page = await admin.visitor.open(`/admin/support/${id}`)
  expect([page.text.includes('Where are my credits?'), page.html.includes(`/admin/accounts/${publicId}`)]).toEqual([true, true])
  const answer = 'They arrived at 10:02. Thank you for your patience.'
  expect((await admin.visitor.submitForm(page, 'Send reply', { text: answer })).status).toBe(200)
  const mail = await fixture.mailbox.next(email)
  expect(mail).toMatchObject({ subject: 'Support has replied to your message', text: expect.stringContaining(answer) })
  expect(mail.text).toContain(`/portal/help/${id}`)
  expect(await read(visitor, id)).toMatchObject({ state: 'answered', messages: [{ isOurs: false }, { isOurs: true, text: answer }] })
  // The customer isn't shown who replied.
  expect(JSON.stringify(await read(visitor, id))).not.toMatch(/admin/i)
  await visitor.submitForm(await visitor.open(`/portal/help/${id}`), 'Send reply', { text: 'Found them, thanks.' })
  expect(await read(visitor, id)).toMatchObject({ state: 'open', messages: [{}, {}, { text: 'Found them, thanks.' }] })
  const close = () => admin.visitor.call('admin.support.close', 'mutation', { id, reason: 'Needs no answer.' })
  const answers = await Promise.all([close(), close()])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect(await read(visitor, id)).toMatchObject({ state: 'closed' })
  expect((await admin.visitor.open('/admin/support?state=closed')).html).toContain(`/admin/support/${id}`)
})

verifies('portal/support-write', async () => {
  const [admin, { visitor, email, publicId }] = [await fixture.administrator(), await fixture.member()]
  const page = await admin.visitor.open(`/admin/accounts/${publicId}`)
  const [text, reason] = ['Your £20 arrived at 10:02.', 'He asked by telephone.']
  const without = await admin.visitor.submitForm(page, 'Send message', { text, reason })
  expect([without.status, without.text]).toEqual([400, expect.stringContaining('Choose a topic.')])
  expect((await admin.visitor.submitForm(page, 'Send message', { topic: 'payment', text, reason })).status).toBe(200)
  const mail = await fixture.mailbox.next(email)
  expect(mail).toMatchObject({ subject: 'Message from support', text: expect.stringContaining(text) })
  const [{ id }] = getData(await visitor.call('support.list', 'query', {}))
  expect(mail.text).toContain(`/portal/help/${id}`)
  expect(await read(visitor, id)).toMatchObject({ state: 'answered', messages: [{ isOurs: true, text }] })
  await visitor.submitForm(await visitor.open(`/portal/help/${id}`), 'Send reply', { text: 'Thank you.' })
  expect((await admin.visitor.open('/admin/support')).html).toContain(`/admin/support/${id}`)
})

test('marks a message from an unconfirmed address, which may belong to someone else', async () => {
  const [admin, { visitor, email, id }] = [await fixture.administrator(), await fixture.member()]
  await fixture.sql('UPDATE account SET email_verified_at = NULL WHERE id = $1', [id])
  const { id: ticket } = getData(await open(visitor, 'Send me the invoice.'))
  const isMail = (one: { text: string }) => one.text.includes(`/admin/support/${ticket}`)
  await expect.poll(() => fixture.mailbox.to(admin.email).filter(isMail), { timeout: 20_000 }).toHaveLength(1)
  const [mail] = fixture.mailbox.to(admin.email).filter(isMail)
  expect([mail?.subject, mail?.text]).toEqual(['Support: message from an unconfirmed address', expect.stringContaining(`${email} (not confirmed`)])
  expect((await admin.visitor.open(`/admin/support/${ticket}`)).text).toContain(`${email} (not confirmed)`)
})

test('a blocked account can contact support but sees nothing else of the portal', async () => {
  const { visitor, email } = await fixture.member()
  await blockAccount(fixture.pool, email, 'Unusual calls.')
  const page = await visitor.open('/portal/help')
  expect(page.text).toContain('This account is blocked: Unusual calls.')
  expect((await visitor.submitForm(page, 'Send message', { topic: 'other', text: 'Why?' })).status).toBe(200)
  expect((await visitor.open('/portal/keys')).text).not.toContain('Create key')
})

test('shows which member of the account wrote a message', async () => {
  const [admin, owner] = [await fixture.administrator(), await fixture.member()]
  const member = await teamMember(fixture, owner, 'billing')
  await member.visitor.call('profile.rename', 'mutation', { name: 'Grace Hopper' })
  const { id } = getData(await open(member.visitor, 'Where is the invoice?'))
  await owner.visitor.call('support.reply', 'mutation', { id, text: 'The one of May.' })
  const getWriters = async (visitor: Visitor) =>
    (await read(visitor, id)).messages.map(({ writer, isYours }: { writer: string; isYours: boolean }) => [writer, isYours])
  expect(await getWriters(member.visitor)).toEqual([
    ['Grace Hopper', true],
    [owner.email, false],
  ])
  expect(await getWriters(owner.visitor)).toEqual([
    ['Grace Hopper', false],
    [owner.email, true],
  ])
  expect((await admin.visitor.open(`/admin/support/${id}`)).text).toMatch(/Grace Hopper .*Where is the invoice\?/)
})

test('keeps text as it was typed and rejects text that is too long', async () => {
  const { visitor } = await fixture.member()
  const text = '<script>alert(1)</script> & "quotes" 💷'
  const { id } = getData(await open(visitor, text))
  const page = await visitor.open(`/portal/help/${id}`)
  expect(page.text).toContain(text)
  expect(page.html).not.toContain('<script>alert(1)')
  const long = await open(visitor, 'x'.repeat(5_001))
  expect([long.status, getError(long).data.fields]).toEqual([400, { text: 'A message can have up to 5,000 characters.' }])
})

test('closing an account deletes its messages', async () => {
  const { visitor, email, id } = await fixture.member()
  await open(visitor, 'Hello')
  expect((await visitor.call('security.closeAccount', 'mutation', { email })).status).toBe(200)
  expect(await fixture.sql('SELECT 1 FROM ticket WHERE account_id = $1', [id])).toEqual([])
})

test('an account without a confirmed email gets replies only in the portal', async () => {
  const [admin, visitor, email] = [await fixture.administrator(), fixture.visitor(), fixture.newEmail()]
  await fixture.signUp(visitor, email)
  await fixture.signIn(visitor, email)
  const { id } = getData(await open(visitor, 'The link does not arrive.'))
  const reason = 'Answered.'
  expect((await admin.visitor.call('admin.support.answer', 'mutation', { id, text: 'Check the spelling.', reason })).status).toBe(200)
  expect(await read(visitor, id)).toMatchObject({ state: 'answered' })
  expect(await fixture.sql("SELECT 1 FROM email WHERE kind = 'ticket-answer' AND data ->> 'ticket' = $1", [id])).toEqual([])
})

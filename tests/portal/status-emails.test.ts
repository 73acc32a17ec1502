/** Tests status emails: confirmation by the owner of the address, incidents by email, and unsubscribing. */
import { expect, test } from 'vitest'
import { forgetPendingSubscriptions } from '#server/status/subscribers.ts'
import { verifies } from '../requirements/verifies.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getData } from './support/visitor.ts'

const fixture = portalFixture()

const button = 'Email me about incidents'

async function request(email: string) {
  const visitor = fixture.visitor()
  return { visitor, page: await visitor.submitForm(await visitor.open('/status'), button, { email }) }
}

const findLink = (text: string): string => /\/status\/follow\/sub_\w+/.exec(text)?.[0] ?? ''

/** Creates a confirmed subscriber. Returns their email and the path of their page. */
async function subscribe() {
  const email = fixture.newEmail()
  const { visitor } = await request(email)
  const path = findLink((await fixture.mailbox.next(email)).text)
  await visitor.submitForm(await visitor.open(path), 'Confirm')
  return { email, path, visitor }
}

/** Publishes an incident and resolves it, so that other tests see an operational service. */
async function publishIncident(title: string): Promise<void> {
  const { visitor } = await fixture.administrator()
  const update = { impact: 'degraded', body: 'We look for the cause.', reason: 'Alerts.' }
  const answer = await visitor.call('admin.incidents.open', 'mutation', { ...update, title, state: 'investigating', startedAt: '' })
  await visitor.call('admin.incidents.update', 'mutation', { ...update, id: getData(answer).id, state: 'resolved', body: 'All is well.' })
}

const count = async (email: string) => (await fixture.sql('SELECT 1 FROM status_subscriber WHERE email = $1', [email])).length

verifies('site/status-emails-confirmed', async () => {
  const email = fixture.newEmail()
  const { visitor, page } = await request(email)
  expect(page.text).toContain('Check your email.')
  await publishIncident('Before the confirmation')
  const first = await fixture.mailbox.next(email)
  expect(first.subject).toBe('Confirm that you want status emails')
  const path = findLink(first.text)
  for (let loads = 0; loads < 2; loads++) expect((await visitor.open(path)).text).toContain('Confirm that you want emails about incidents')
  expect((await visitor.submitForm(await visitor.open(path), 'Confirm')).text).toContain(`We email ${email} about incidents and their updates.`)
  await publishIncident('After the confirmation')
  const [opened, resolved] = [await fixture.mailbox.next(email, 2), await fixture.mailbox.next(email, 3)]
  const subjects = [opened, resolved].map(({ subject }) => subject).toSorted()
  expect(subjects).toEqual(['Investigating: After the confirmation', 'Resolved: After the confirmation'])
  expect(opened.text).toMatch(/\/status#inc_\w+/)
})

verifies('site/status-emails-ended', async () => {
  const { email, path, visitor } = await subscribe()
  await publishIncident('With a header')
  const { raw } = await fixture.mailbox.next(email, 2)
  expect(raw.replace(/\r\n\s+/g, ' ')).toContain(`List-Unsubscribe: <${fixture.origin}${path}/end>`)
  expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  expect((await visitor.open(`${path}/end`)).text).toContain('Stop status emails')
  const oneClick = await fetch(`${fixture.origin}${path}/end`, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    redirect: 'manual',
  })
  expect(oneClick.status).toBe(303)
  expect([await count(email), (await visitor.open(path)).status]).toEqual([0, 404])

  const other = await subscribe()
  const page = await other.visitor.submitForm(await other.visitor.open(other.path), 'Stop status emails')
  expect([page.text.includes("You won't get any more status emails."), await count(other.email)]).toEqual([true, 0])
})

verifies('site/status-emails-private', async () => {
  const { email } = await subscribe()
  const [known, unknown] = [await request(email), await request(fixture.newEmail())]
  expect(known.page.text).toBe(unknown.page.text)
  expect(known.page.path).toBe(unknown.page.path)
})

test('rejects malformed email addresses, and forms submitted from other sites', async () => {
  expect((await request('not an address')).page.text).toContain('Enter an email address')
  const visitor = fixture.visitor()
  const email = fixture.newEmail()
  await visitor.submitForm(await visitor.open('/status'), button, { email }, { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' })
  expect(await count(email)).toBe(0)
  for (const path of ['/status/follow/sub_none', '/status/follow/%00']) expect((await visitor.open(path)).status).toBe(404)
})

test('deletes addresses that are not confirmed within a week', async () => {
  const [{ email: kept }, pending] = [await subscribe(), fixture.newEmail()]
  await request(pending)
  await fixture.sql("UPDATE status_subscriber SET created_at = now() - interval '8 days' WHERE email = ANY ($1)", [[kept, pending]])
  await forgetPendingSubscriptions(fixture.pool)
  expect([await count(kept), await count(pending)]).toEqual([1, 0])
})

/** Tests who can enable webhooks, over HTTP. */
import { expect, test } from 'vitest'
import { portalRouter } from '#server/trpc/root.ts'
import { switchWebhooks } from '#server/webhooks/access.ts'
import type { Member } from '../portal/support/portal-fixture.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getData, getError } from '../portal/support/visitor.ts'
import { verifies } from '../requirements/verifies.ts'

const fixture = portalFixture()

const endpoint = { url: 'https://hooks.example.com/', description: 'Mine', types: ['rate.changed'], providers: '', accountTypes: [], minChange: '' }
const on = { isOn: true, isBlocked: false, askedAt: null, canAsk: false, unacknowledged: null }

const ask = async ({ visitor }: Member, name: string, input: object = {}) => getData(await visitor.call(`webhooks.${name}`, 'query', input))
const act = async ({ visitor }: Member, name: string, input: object = {}) => getData(await visitor.call(`webhooks.${name}`, 'mutation', input))

/** Enables or disables webhooks for a member, as an operator. */
const switchTo = ({ email }: Member, isOn: boolean) => switchWebhooks({ pool: fixture.pool }, email, isOn)

const audited = async ({ id }: Member) =>
  (
    await fixture.sql<{ at: string }>("SELECT action || ' ' || actor AS at FROM audit_entry WHERE account_id = $1 AND action LIKE 'webhooks.%' ORDER BY id", [
      id,
    ])
  ).map(({ at }) => at)

verifies('webhooks/enabled-by-approved-account', async () => {
  const member = await fixture.member()
  const page = await member.visitor.open('/portal/webhooks')
  expect(page.text).toContain('5 credits per event, charged on the first 2xx response.')
  // Concurrent clicks enable webhooks once.
  const answers = await Promise.all(Array.from({ length: 4 }, () => member.visitor.submitForm(page, 'Enable webhooks')))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect([await ask(member, 'access'), await ask(member, 'list'), await audited(member)]).toEqual([on, [], ['webhooks.on account']])
  await act(member, 'enable')
  expect(await audited(member)).toHaveLength(1)
})

verifies('webhooks/disabled-by-administrator', async () => {
  const member = await fixture.member()
  await act(member, 'enable')
  await switchTo(member, false)
  const answer = await member.visitor.call('webhooks.enable', 'mutation')
  expect([answer.status, getError(answer).data.error, getError(answer).message]).toEqual([
    403,
    'webhooks_not_enabled',
    "We've disabled webhooks for your account. Request them on the Webhooks page.",
  ])
  expect(await ask(member, 'access')).toEqual({ isOn: false, isBlocked: true, askedAt: null, canAsk: true, unacknowledged: null })
  expect((await member.visitor.open('/portal/webhooks')).text).not.toContain('Enable webhooks')
  await switchTo(member, true)
  expect(await ask(member, 'access')).toEqual(on)
  expect(await audited(member)).toEqual(['webhooks.on account', 'webhooks.off operator', 'webhooks.on operator'])
})

test('rejects accounts that are not approved or not confirmed', async () => {
  const member = await fixture.member()
  const attempt = async () => getError(await member.visitor.call('webhooks.enable', 'mutation'))
  await fixture.sql("UPDATE account SET state = 'review' WHERE id = $1", [member.id])
  expect(await attempt()).toMatchObject({
    message: 'You can enable webhooks once your account is approved.',
    data: { error: 'account_blocked', httpStatus: 403 },
  })
  expect((await member.visitor.open('/portal/webhooks')).text).toContain('You can enable webhooks once your account is approved.')
  await fixture.sql("UPDATE account SET state = 'open', email_verified_at = NULL WHERE id = $1", [member.id])
  expect((await attempt()).data.error).toBe('email_not_verified')
  expect(await audited(member)).toEqual([])
})

verifies(['errors/webhooks-not-enabled', 'webhooks/enabled-per-account'], async () => {
  const member = await fixture.member()
  expect(await ask(member, 'access')).toEqual({ isOn: false, isBlocked: false, askedAt: null, canAsk: false, unacknowledged: null })
  const inputs = {
    ...endpoint,
    id: 'whe_0000000000000000',
    delivery: 'dlv_0000000000000000',
    state: null,
    type: null,
    cursor: null,
    from: '2026-11-01T00:00',
    to: '2026-11-02T00:00',
  }
  const open = ['webhooks.access', 'webhooks.enable', 'webhooks.ask']
  const procedures = Object.entries(portalRouter._def.procedures).filter(([name]) => name.startsWith('webhooks.') && !open.includes(name))
  expect(procedures.length).toBeGreaterThan(14)
  for (const [name, procedure] of procedures) {
    const { type } = (procedure as unknown as { _def: { type: 'query' | 'mutation' } })._def
    const input = name === 'webhooks.sample' ? { type: 'rate.changed' } : inputs
    const answer = await member.visitor.call(name, type, input)
    expect([name, answer.status, getError(answer).data.error]).toEqual([name, 403, 'webhooks_not_enabled'])
  }
  await switchTo(member, true)
  expect([await ask(member, 'access'), await ask(member, 'list')]).toEqual([on, []])
  await act(member, 'create', endpoint)
  await switchTo(member, false)
  expect((await member.visitor.call('webhooks.list', 'query')).status).toBe(403)
})

test('requesting disabled webhooks emails the administrators at most once a day, and the page shows the time of the request', async () => {
  const admin = await fixture.member({ isAdmin: true })
  const member = await fixture.member()
  const { visitor, id, email } = member
  // Accounts that can enable webhooks themselves have nothing to request.
  await act(member, 'ask')
  await switchTo(member, true)
  await switchTo(member, false)
  const blank = await visitor.open('/portal/webhooks')
  expect(blank.text).toContain("We've disabled webhooks for your account. Your endpoints are kept, but nothing is sent or charged.")
  // Concurrent clicks count as one request.
  await Promise.all(Array.from({ length: 4 }, () => visitor.submitForm(blank, 'Request webhooks')))
  expect((await visitor.open('/portal/webhooks')).text).toMatch(/You requested webhooks on \d+ \w+ \d{4}, \d\d:\d\d UTC\. You can send one request a day\./)
  const message = await fixture.mailbox.next(admin.email)
  expect(message.subject).toBe(`${email} requested webhooks`)
  for (const words of [member.publicId, `svc account webhooks --account '${email}' --on`]) expect(message.text).toContain(words)
  const asked = () =>
    fixture.sql("SELECT 1 FROM email WHERE kind = 'webhooks-asked' AND data ->> 'account' = $1 AND recipient = $2", [member.publicId, admin.email])
  const audited = () => fixture.sql("SELECT 1 FROM audit_entry WHERE account_id = $1 AND action = 'webhooks.ask'", [id])
  expect([(await asked()).length, (await audited()).length]).toEqual([1, 1])
  await fixture.sql("UPDATE webhook_account SET asked_at = asked_at - interval '24 hours' WHERE account_id = $1", [id])
  const later = await visitor.open('/portal/webhooks')
  expect(later.text).toContain('You requested webhooks on')
  await visitor.submitForm(later, 'Request again')
  expect([(await asked()).length, (await audited()).length]).toEqual([2, 2])
  // An account that already has webhooks can't request them.
  await switchTo(member, true)
  await act(member, 'ask')
  expect([(await asked()).length, await ask(member, 'access')]).toEqual([2, on])
  // An account with an unconfirmed email can't request webhooks.
  await fixture.sql('UPDATE account SET email_verified_at = NULL WHERE id = $1', [id])
  expect(getError(await visitor.call('webhooks.ask', 'mutation')).data.error).toBe('email_not_verified')
})

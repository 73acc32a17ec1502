/** Tests that administrators can find, inspect and redeliver failed webhook deliveries under the same rules as the owners. */
import { expect, test } from 'vitest'
import type { Member } from '../portal/support/portal-fixture.ts'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getData, getError } from '../portal/support/visitor.ts'
import { deadDelivery, getEndpoint } from './support/dead-delivery.ts'

const fixture = portalFixture()

let one: Promise<Member> | undefined
const administrator = (): Promise<Member> => (one ??= fixture.administrator())

type Row = { endpoint: string; account: string; count: number }

const all = { kind: 'dead', type: null, account: null, after: null }

/** Returns the rows of all pages, because other tests create endpoints too. */
async function listed(filter: object): Promise<Row[]> {
  const rows: Row[] = []
  for (let after: string | null = null, pages = 0; pages < 100; pages++) {
    const page: { endpoints: Row[]; next: string | null } = getData(
      await (await administrator()).visitor.call('admin.deliveries.list', 'query', { ...all, ...filter, after }),
    )
    rows.push(...page.endpoints)
    after = page.next
    if (after === null) return rows
  }
  return expect.unreachable('Pagination did not end after 100 pages.')
}

const getState = async (delivery: string) =>
  (await fixture.sql<{ state: string; round: number }>('SELECT state, round FROM webhook_delivery WHERE public_id = $1', [delivery]))[0]

test('lists and filters endpoints with dead deliveries, oldest delivery first', async () => {
  // Without credits, no worker can release the account's held deliveries.
  const [first, second] = [await fixture.member({ credits: 0 }), await fixture.member()]
  const [late, early] = [await getEndpoint(fixture, first), await getEndpoint(fixture, second)]
  await deadDelivery(fixture, early, '2026-11-01T09:00:00Z')
  await deadDelivery(fixture, late, '2026-11-02T09:00:00Z', 'product.added')
  await deadDelivery(fixture, early, '2026-11-03T09:00:00Z')
  const ours = (rows: Row[]) =>
    rows.filter(({ endpoint }) => [late, early].includes(endpoint)).map(({ endpoint, account, count }) => [endpoint, account, count])
  expect(ours(await listed({}))).toEqual([
    [early, second.publicId, 2],
    [late, first.publicId, 1],
  ])
  expect(ours(await listed({ type: 'product.added' }))).toEqual([[late, first.publicId, 1]])
  expect((await listed({ account: second.publicId })).map(({ endpoint }) => endpoint)).toEqual([early])
  expect(await listed({ account: 'acc_0000000000000000' })).toEqual([])
  expect(ours(await listed({ kind: 'retrying' }))).toEqual([])
  await fixture.sql("UPDATE webhook_endpoint SET state = 'held' WHERE public_id = $1", [late])
  await fixture.sql(
    "UPDATE webhook_delivery SET state = 'waiting', due_at = now() + interval '1 day' WHERE endpoint_id = (SELECT id FROM webhook_endpoint WHERE public_id = $1)",
    [late],
  )
  expect(ours(await listed({ kind: 'retrying', account: first.publicId }))).toEqual([[late, first.publicId, 1]])
  expect(ours(await listed({ kind: 'held' }))).toEqual([[late, first.publicId, 1]])
  const { count, oldest } = getData(await (await administrator()).visitor.call('admin.deliveries.waiting', 'query', { kind: 'dead' }))
  expect([count > 0, new Date(oldest).getTime() <= Date.parse('2026-11-01T09:00:00Z')]).toEqual([true, true])
})

test('shows a delivery, and redelivers it with a reason', async () => {
  const [{ visitor, id: by }, member] = [await administrator(), await fixture.member()]
  const endpoint = await getEndpoint(fixture, member)
  const delivery = await deadDelivery(fixture, endpoint)
  const list = await visitor.open(`/admin/deliveries/${endpoint}`)
  expect(list.html).toContain(`/admin/deliveries/${endpoint}/${delivery}`)
  const page = await visitor.open(`/admin/deliveries/${endpoint}/${delivery}`)
  for (const text of ['The receiver returned 500.', 'out of order', 'https://hooks.example.com/', 'Response from the customer’s server']) {
    expect(page.text).toContain(text)
  }
  expect((await visitor.submitForm(page, 'Redeliver', { reason: '' })).text).toContain('Enter a reason. It is recorded in the audit log.')
  expect((await visitor.submitForm(page, 'Redeliver', { reason: 'Their server is back.' })).result).toMatchObject({ count: 1 })
  expect(await getState(delivery)).toEqual({ state: 'waiting', round: 2 })
  expect((await visitor.submitForm(page, 'Redeliver', { reason: 'Once more.' })).text).toContain('is already queued')
  const lines = await fixture.sql<object>("SELECT action, subject, reason, actor_account_id AS by FROM audit_entry WHERE account_id = $1 AND actor = 'admin'", [
    member.id,
  ])
  expect(lines).toEqual([{ action: 'webhook.redeliver', subject: endpoint, reason: 'Their server is back.', by }])
  expect((await member.visitor.open('/portal/settings/account')).text).toMatch(/Webhook events redelivered [^.]* by support/)
})

test('redelivers all dead deliveries or those in a time range, and returns an error if there are none', async () => {
  const [{ visitor }, member] = [await administrator(), await fixture.member()]
  const endpoint = await getEndpoint(fixture, member)
  const [early, late] = [await deadDelivery(fixture, endpoint, '2026-11-01T09:00:00Z'), await deadDelivery(fixture, endpoint, '2026-11-02T09:00:00Z')]
  const page = await visitor.open(`/admin/deliveries/${endpoint}`)
  const span = { from: '2026-11-02T00:00', to: '2026-11-03T00:00', reason: 'An outage.' }
  expect((await visitor.submitForm(page, 'Redeliver this range', { ...span, to: '2026-11-01T00:00' })).text).toContain('End must be after start.')
  expect((await visitor.submitForm(page, 'Redeliver this range', span)).result).toMatchObject({ count: 1, next: null })
  expect([(await getState(early))?.round, (await getState(late))?.round]).toEqual([1, 2])
  expect((await visitor.submitForm(page, 'Redeliver all failed deliveries', { reason: 'An outage.' })).result).toMatchObject({ count: 1 })
  expect((await getState(early))?.round).toBe(2)
  const none = await visitor.call('admin.deliveries.redeliverFailed', 'mutation', { endpoint, reason: 'Once more.' })
  expect(getError(none).data.fields.form).toBe('Nothing to redeliver: no matching delivery has failed, or all of them are already queued.')
})

test('cannot redeliver to a paused endpoint or while webhooks are disabled, and returns 404 for unknown ids', async () => {
  const [{ visitor }, member, other] = [await administrator(), await fixture.member(), await fixture.member()]
  const [endpoint, others] = [await getEndpoint(fixture, member), await getEndpoint(fixture, other)]
  const delivery = await deadDelivery(fixture, endpoint)
  const again = (of: string) => visitor.call('admin.deliveries.redeliver', 'mutation', { endpoint: of, delivery, reason: 'Try.' })
  await member.visitor.call('webhooks.pause', 'mutation', { id: endpoint })
  expect(getError(await again(endpoint)).data.fields.form).toBe('This endpoint is paused or disabled. Resume it first.')
  await fixture.sql('UPDATE webhook_account SET is_on = false WHERE account_id = $1', [member.id])
  expect((await again(endpoint)).status).toBe(403)
  expect((await again(others)).status).toBe(400)
  expect((await again('whe_0000000000000000')).status).toBe(404)
  for (const path of [`${others}/${delivery}`, 'whe_0000000000000000', `${endpoint}/dlv_0000000000000000`]) {
    expect((await visitor.open(`/admin/deliveries/${path}`)).status).toBe(404)
  }
  expect(await getState(delivery)).toEqual({ state: 'dead', round: 1 })
})

test('redelivers several deliveries with one reason, skipping any that are already queued', async () => {
  const [{ visitor }, member] = [await administrator(), await fixture.member()]
  const endpoint = await getEndpoint(fixture, member)
  const deliveries = [await deadDelivery(fixture, endpoint, '2026-11-01T09:00:00Z'), await deadDelivery(fixture, endpoint, '2026-11-02T09:00:00Z')]
  const redeliver = async () => getData(await visitor.call('admin.deliveries.redeliverMany', 'mutation', { endpoint, deliveries, reason: 'An outage.' }))
  expect(await redeliver()).toEqual({ count: 2, skipped: 0 })
  expect(await Promise.all(deliveries.map(getState))).toEqual([
    { state: 'waiting', round: 2 },
    { state: 'waiting', round: 2 },
  ])
  expect(await redeliver()).toEqual({ count: 0, skipped: 2 })
})

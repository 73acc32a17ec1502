/** Tests `balance.low` events, which are sent to subscribed endpoints only, free of charge, and even while paid events wait for credits. */
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { blockAccount, unblockAccount } from '#server/accounts/accounts.ts'
import { noticeLowBalances } from '#server/billing/low-balance-alerts.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { switchWebhooks } from '#server/webhooks/access.ts'
import { getDelivery } from '#server/webhooks/deliveries.ts'
import { fanOutToOwners } from '#server/webhooks/fan-out.ts'
import { resumeWebhook, updateWebhook } from '#server/webhooks/manage-endpoints.ts'
import { wakeFree } from '#server/webhooks/queue.sql.ts'
import { redeliver } from '#server/webhooks/redeliver.ts'
import { addKey, admit, buildRequest } from '../metering/statement.ts'
import type { TestAccount } from '../support/accounts.ts'
import type { ReceivedDelivery } from './support/receiver.ts'
import { minuteMs, WebhookFixture } from './support/webhook-fixture.ts'

const fixture = new WebhookFixture()
const both = ['rate.changed', 'balance.low'] as const

const isSignedWith = (secret: string, { headers, raw }: ReceivedDelivery): boolean => {
  const [, time = '', signature = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-svc-signature'])) ?? []
  return createHmac('sha256', secret).update(`${time}.${raw}`).digest('hex') === signature
}

const asking = (account: TestAccount, path = '/asks', more = {}) => fixture.endpoint(account, { url: fixture.receiver.url(path), types: [...both], ...more })
const notifiedPaths = () => fixture.receiver.got.filter(({ body }) => body.type === 'balance.low').map(({ path }) => path)
const readNotices = async ({ id }: TestAccount) =>
  (
    await fixture.pool.query<{ facts: object; made: string }>(
      'SELECT data AS facts, xmin::text AS made FROM billing_notice WHERE account_id = $1 ORDER BY id',
      [id],
    )
  ).rows
const readEvents = async ({ id }: TestAccount) =>
  (
    await fixture.pool.query<{ facts: object; made: string }>('SELECT data AS facts, xmin::text AS made FROM account_event WHERE account_id = $1 ORDER BY id', [
      id,
    ])
  ).rows

test('sends a signed, free balance.low to the subscribed endpoint when calls use up the balance', async () => {
  const account = await fixture.account({ credits: 60 })
  const asks = await asking(account)
  await fixture.endpoint(account, { url: fixture.receiver.url('/market') })
  await asking(await fixture.account(), '/other-account')
  await admit(fixture.pool, [buildRequest(await addKey(fixture.pool, account), { price: 53 })])
  await noticeLowBalances(fixture.pool)
  await noticeLowBalances(fixture.pool)
  // The email and the event are written once, in the same transaction.
  const [mails, events] = [await readNotices(account), await readEvents(account)]
  expect(mails).toEqual([{ facts: { balanceCredits: 7, thresholdCredits: 10 }, made: expect.any(String) }])
  expect(events).toEqual(mails)
  expect(await fixture.notifyOwners()).toBe(1)
  const [got] = fixture.receiver.got
  const data = {
    account: account.publicId,
    thresholdCredits: 10,
    balanceCredits: 7,
    at: got?.body.createdAt,
    topUp: 'https://api.example.test/portal/billing/top-up',
  }
  expect(got).toMatchObject({ path: '/asks', body: { id: expect.stringMatching(/^evt_/), type: 'balance.low', attempt: 1 } })
  expect(got?.body.data).toEqual(data)
  expect(got && isSignedWith(asks.secret, got)).toBe(true)
  expect(got?.headers).toMatchObject({ 'x-svc-event': 'balance.low', 'x-svc-delivery': (await fixture.delivery(asks)).id })
  expect(await fixture.delivery(asks)).toMatchObject({ type: 'balance.low', isFree: true, isTest: false, state: 'delivered', chargedCredits: 0, isOwed: false })
  expect([await fixture.balance(account), await fixture.charges(account), await readEvents(account)]).toEqual([7, [], []])
  // Nothing is left to send.
  expect(await fixture.notifyOwners()).toBe(0)
})

test('sends balance.low while paid events wait for credits, and later resumes the paid events in order', async () => {
  const account = await fixture.account({ credits: 52 })
  const asks = await asking(account)
  const events = await fixture.emit(...Array.from({ length: 12 }, () => ({})))
  expect(await fixture.after(0)).toBe(10)
  expect(await fixture.state(asks)).toMatchObject({ state: 'held', waiting: 2 })
  // Paying for the events took the balance below two thresholds, so there are two account events.
  fixture.receiver.next.push(500)
  expect(await fixture.notifyOwners()).toBe(2)
  const notified = fixture.receiver.got.slice(10).map(({ body }) => body)
  expect(notified.map(({ type, data }) => [type, data['thresholdCredits'], data['balanceCredits']])).toEqual([
    ['balance.low', 50, 47],
    ['balance.low', 10, 7],
  ])
  expect(await fixture.state(asks)).toMatchObject({ state: 'held', waiting: 3, shortage: { isCapped: false, missingCredits: 8 } })
  fixture.nowMs += minuteMs - 1
  expect(await fixture.resume()).toBe(0)
  fixture.nowMs += 1
  expect(await fixture.resume()).toBe(1)
  expect(fixture.receiver.got.at(-1)?.body).toEqual({ ...notified[0], attempt: 2 })
  const { id } = await fixture.delivery(asks)
  expect((await getDelivery(fixture.deps(), account.id, id)).data).toEqual(notified[1]?.data)
  await redeliver(fixture.deps(), fixture.owner(account), asks.id, { kind: 'one', id })
  expect(await fixture.after(0)).toBe(1)
  expect(fixture.receiver.got.at(-1)?.body).toEqual(notified[1])
  expect(await fixture.state(asks)).toMatchObject({ state: 'held', waiting: 2 })
  expect([await fixture.balance(account), (await fixture.charges(account)).length, await fixture.notices(account)]).toEqual([2, 10, ['held']])
  await fixture.credit(account, 100)
  expect(await fixture.after(0)).toBe(2)
  expect(fixture.receiver.got.filter(({ body }) => body.type === 'rate.changed').map(({ body }) => body.id)).toEqual(events.map((event) => event.id))
  expect([await fixture.balance(account), (await fixture.charges(account)).length]).toEqual([92, 12])
})

test('sends balance.low despite the monthly cap, filters and a pending review, but not while the account is blocked', async () => {
  const capped = await fixture.account({ credits: 60 })
  const endpoint = await asking(capped, '/capped')
  await fixture.pool.query('UPDATE wallet SET month_cap = 0 WHERE account_id = $1', [capped.id])
  await fixture.one()
  expect(await fixture.after(0)).toBe(0)
  expect((await fixture.state(endpoint)).state).toBe('held')
  const filtered = await fixture.account({ credits: 60 })
  await asking(filtered, '/filtered', { providers: ['nobody'], accountTypes: ['notice'], minChangeBp: 10_000 })
  const reviewed = await fixture.account({ credits: 60, approved: false })
  await asking(reviewed, '/reviewed')
  const blocked = await fixture.account({ credits: 60 })
  await asking(blocked, '/blocked')
  await blockAccount(fixture.pool, blocked.email, 'For testing.')
  for (const account of [capped, filtered, reviewed, blocked]) await fixture.credit(account, -55)
  expect(await fixture.notifyOwners()).toBe(3)
  expect(notifiedPaths().toSorted()).toEqual(['/capped', '/filtered', '/reviewed'])
  expect(await fixture.state(endpoint)).toMatchObject({ state: 'held', waiting: 1 })
  await unblockAccount(fixture.pool, blocked.email)
  expect(await fixture.after(5 * minuteMs)).toBe(1)
  expect(notifiedPaths().at(-1)).toBe('/blocked')
  // The market event matched only the endpoint without filters, whose account could not pay for it.
  expect(fixture.receiver.got.every(({ body }) => body.type === 'balance.low')).toBe(true)
})

test('does not send balance.low to endpoints that subscribed later, or while webhooks are disabled', async () => {
  const account = await fixture.account({ credits: 100 })
  const later = await fixture.endpoint(account, { url: fixture.receiver.url('/later') })
  await fixture.credit(account, -55)
  expect([(await readNotices(account)).length, (await readEvents(account)).length]).toEqual([1, 0])
  await updateWebhook(fixture.deps(), fixture.owner(account), later.id, { ...(await fixture.state(later)), types: [...both] })
  await asking(account, '/new')
  expect(await fixture.notifyOwners()).toBe(0)
  // Disabled endpoints queue no events, but endpoints paused by their owner do.
  await fixture.pool.query("UPDATE webhook_endpoint SET state = 'paused' WHERE public_id = $1", [later.id])
  await fixture.pool.query("UPDATE webhook_endpoint SET state = 'disabled' WHERE account_id = $1 AND public_id <> $2", [account.id, later.id])
  await fixture.credit(account, -36)
  expect(await fixture.notifyOwners()).toBe(0)
  await resumeWebhook(fixture.deps(), fixture.owner(account), later.id)
  expect(await fixture.after(0)).toBe(1)
  expect(notifiedPaths()).toEqual(['/later'])
  await switchWebhooks(fixture.deps(), account.email, false)
  await fixture.credit(account, -9)
  await switchWebhooks(fixture.deps(), account.email, true)
  expect(await fixture.notifyOwners()).toBe(0)
  expect((await readNotices(account)).map(({ facts }) => facts)).toEqual([
    { balanceCredits: 45, thresholdCredits: 50 },
    { balanceCredits: 9, thresholdCredits: 10 },
    { balanceCredits: 0, thresholdCredits: 0 },
  ])
})

test('writes neither email nor event if the transaction rolls back', async () => {
  const account = await fixture.account({ credits: 60 })
  await asking(account)
  const fall = inTransaction(fixture.pool, async (client) => {
    await client.query("SELECT enter_credits($1, 'adjustment', -30, 'operator', 'Of the tests.', NULL)", [account.id])
    const { rows } = await client.query('SELECT (SELECT count(*) FROM account_event) + (SELECT count(*) FROM billing_notice WHERE account_id = $1) AS n', [
      account.id,
    ])
    expect(rows).toEqual([{ n: '2' }])
    throw new Error('Rolled back.')
  })
  await expect(fall).rejects.toThrow('Rolled back.')
  expect([await readNotices(account), await readEvents(account), await fixture.notifyOwners()]).toEqual([[], [], 0])
})

/** Terminates the connection that is waiting for a lock. */
async function terminateWaiting(): Promise<void> {
  const sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
  await expect.poll(async () => (await fixture.pool.query(sql)).rowCount, { interval: 10 }).toBe(1)
}

test('fans out every account event exactly once, even if a process dies midway or several run concurrently', async () => {
  const account = await fixture.account({ credits: 300 })
  const endpoint = await asking(account)
  await fixture.pool.query(
    `SELECT add_account_event($1, 'balance.low', jsonb_build_object('balanceCredits', n, 'thresholdCredits', 50)) FROM generate_series(1, 205) n`,
    [account.id],
  )
  await inTransaction(fixture.pool, async (client) => {
    await client.query('SELECT FROM webhook_endpoint WHERE public_id = $1 FOR UPDATE', [endpoint.id])
    const dying = expect(fanOutToOwners(fixture.pool, 'https://api.example.test', { now: fixture.now })).rejects.toThrow('terminating connection')
    await terminateWaiting()
    await dying
  })
  expect((await readEvents(account)).length).toBe(205)
  await Promise.all([1, 2, 3, 4].map(() => fanOutToOwners(fixture.pool, 'https://api.example.test', { now: fixture.now })))
  expect(await fixture.notifyOwners()).toBe(205)
  const bodies = fixture.receiver.got.map(({ body }) => body)
  expect(bodies.map(({ data }) => data['balanceCredits'])).toEqual(Array.from({ length: 205 }, (_, at) => at + 1))
  expect(new Set(bodies.map(({ id }) => id)).size).toBe(205)
  expect([await fixture.balance(account), await fixture.charges(account)]).toEqual([300, []])
})

test('reactivates held endpoints with free deliveries in batches of limited size', async () => {
  for (const path of ['/one', '/two', '/three']) {
    const account = await fixture.account({ credits: 60 })
    await asking(account, path)
    await fixture.credit(account, -55)
  }
  await fanOutToOwners(fixture.pool, 'https://api.example.test', { now: fixture.now })
  await fixture.pool.query("UPDATE webhook_endpoint SET state = 'held'")
  const awake = async () => (await fixture.pool.query("SELECT FROM webhook_endpoint WHERE state = 'active'")).rowCount
  await wakeFree(fixture.pool, fixture.now, 2)
  expect(await awake()).toBe(2)
  await wakeFree(fixture.pool, fixture.now, 2)
  expect(await awake()).toBe(3)
})

test('a table constraint rejects free deliveries that are charged or owed', async () => {
  const account = await fixture.account({ credits: 60 })
  await asking(account)
  await fixture.credit(account, -20)
  await fixture.notifyOwners()
  for (const change of ['charged_at = now()', 'is_owed = true']) {
    await expect(fixture.pool.query(`UPDATE webhook_delivery SET ${change} WHERE account_id = $1`, [account.id])).rejects.toThrow('webhook_delivery_free')
  }
})

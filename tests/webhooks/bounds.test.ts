/** Tests the limits of webhooks: counts, rates, access and retention. */
import { expect, test } from 'vitest'
import { approveAccount } from '#server/accounts/accounts.ts'
import { switchWebhooks } from '#server/webhooks/access.ts'
import { getDelivery, tidyDeliveries } from '#server/webhooks/deliveries.ts'
import { fanOut } from '#server/webhooks/fan-out.ts'
import { createWebhook, deleteWebhook, pauseWebhook, resumeWebhook, testWebhook } from '#server/webhooks/manage-endpoints.ts'
import { redeliver } from '#server/webhooks/redeliver.ts'
import { type Endpoint, minuteMs, WebhookFixture } from './support/webhook-fixture.ts'

const fixture = new WebhookFixture()
const dayMs = 1_440 * minuteMs

const again = ({ id, account }: Endpoint, what: Parameters<typeof redeliver>[3]) => redeliver(fixture.deps(), fixture.owner(account), id, what)

test('fans an event out once, however many processes run concurrently', async () => {
  const account = await fixture.account()
  const endpoint = await fixture.endpoint(account)
  await pauseWebhook(fixture.deps(), fixture.owner(account), endpoint.id)
  fixture.happen(...Array.from({ length: 450 }, () => ({})))
  await Promise.all(Array.from({ length: 6 }, () => fanOut(fixture.pool, fixture.source, { now: fixture.now })))
  expect((await fixture.state(endpoint)).waiting).toBe(450)
})

test('limits an account to 20 endpoints, even with concurrent requests', async () => {
  const account = await fixture.account()
  const asked = Array.from({ length: 25 }, (_, n) => fixture.endpoint(account, { url: fixture.receiver.url(`/${n}`) }))
  const settled = await Promise.allSettled(asked)
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
})

test('includes logos only for Enterprise accounts, like the API', async () => {
  for (const plan of ['business', 'enterprise'] as const) {
    await fixture.endpoint(await fixture.account({ plan }), { url: fixture.receiver.url(`/${plan}`) })
  }
  const event = await fixture.one()
  await fixture.drain()
  expect(fixture.receiver.at('/business')[0]?.body.data).toEqual(JSON.parse(event.data))
  expect(fixture.receiver.at('/enterprise')[0]?.body.data).toEqual(JSON.parse(event.dataWithLogos))
})

test('limits test events to ten a minute', async () => {
  const account = await fixture.account()
  const endpoint = await fixture.endpoint(account)
  const ask = () => testWebhook(fixture.deps(), fixture.owner(account), endpoint.id, null)
  for (let n = 0; n < 10; n++) await ask()
  const message = 'You can send 10 test events a minute to an endpoint. Try again in 1 minute.'
  await expect(ask()).rejects.toMatchObject({ refusal: { code: 'rate_limited', extra: { retryAfter: 60 }, message } })
  fixture.nowMs += minuteMs
  await ask()
})

test('does not count a reused connection closed by the receiver as a failure', async () => {
  const endpoint = await fixture.endpoint(await fixture.account())
  fixture.receiver.usual = (response) => {
    response.end()
    // The receiver closes silently, like a server whose keep-alive timeout is shorter than ours.
    setTimeout(() => response.socket?.destroy(), 1)
  }
  await fixture.emit(...Array.from({ length: 20 }, () => ({})))
  await fixture.drain()
  expect((await fixture.deliveries(endpoint)).map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(Array.from({ length: 20 }, () => 'delivered 1'))
})

test('deletes finished deliveries after 30 days, but keeps those that are waiting or unpaid', async () => {
  const account = await fixture.account({ credits: 10 })
  const endpoint = await fixture.endpoint(account)
  const owner = fixture.owner(account)
  await fixture.one()
  await fixture.after(0)
  fixture.receiver.next.push((response) => void fixture.credit(account, -5).then(() => response.end()))
  await fixture.one()
  await fixture.after(0)
  await fixture.credit(account, 3)
  await pauseWebhook(fixture.deps(), owner, endpoint.id)
  const waiting = await fixture.emit({}, {})
  const states = async () => (await fixture.deliveries(endpoint)).map(({ state, isOwed }) => (isOwed ? 'owed' : state))
  expect(await states()).toEqual(['waiting', 'waiting', 'owed', 'delivered'])
  fixture.nowMs += 30 * dayMs + 1
  await tidyDeliveries(fixture.deps())
  expect(await states()).toEqual(['waiting', 'waiting', 'owed'])
  const left = (await fixture.deliveries(endpoint)).at(-1)
  expect((await getDelivery(fixture.deps(), account.id, left?.id ?? '')).tries).toHaveLength(1)
  await fixture.credit(account, 12)
  await resumeWebhook(fixture.deps(), owner, endpoint.id)
  fixture.receiver.got.length = 0
  expect(await fixture.after(0)).toBe(2)
  expect(fixture.receiver.got.map(({ body }) => body.id)).toEqual(waiting.map(({ id }) => id))
  await tidyDeliveries(fixture.deps())
  expect(await states()).toEqual(['delivered', 'delivered'])
  // A delivery that is redelivered on its last day is kept until its retries end, and for another 30 days after that.
  fixture.nowMs += 30 * dayMs - 1
  const [newest] = await fixture.deliveries(endpoint)
  fixture.receiver.next.push(500)
  await redeliver(fixture.deps(), owner, endpoint.id, { kind: 'one', id: newest?.id ?? '' })
  await fixture.after(2)
  await tidyDeliveries(fixture.deps())
  expect(await states()).toEqual(['waiting'])
  await fixture.after(minuteMs)
  await fixture.after(29 * dayMs)
  await tidyDeliveries(fixture.deps())
  expect(await states()).toEqual(['delivered'])
  await fixture.after(2 * dayMs)
  await tidyDeliveries(fixture.deps())
  expect(await states()).toEqual([])
  expect((await fixture.pool.query('SELECT FROM webhook_event v WHERE NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.event_id = v.id)')).rowCount).toBe(0)
})

test('deletes the endpoints of closed accounts, and cancels the deliveries of deleted endpoints', async () => {
  const account = await fixture.account()
  const [deleted, closed] = [await fixture.endpoint(account), await fixture.endpoint(await fixture.account(), { description: "Ada's endpoint" })]
  fixture.receiver.usual = 500
  await fixture.emit({}, {})
  await fixture.after(0)
  await deleteWebhook(fixture.deps(), fixture.owner(account), deleted.id)
  await fixture.pool.query('UPDATE account SET closed_at = now() WHERE id = $1', [closed.account.id])
  await tidyDeliveries(fixture.deps())
  const { rows } = await fixture.pool.query(
    `SELECT e.state, e.url, e.description, length(e.secret) AS secret, array_agg(DISTINCT d.state::text) AS deliveries
     FROM webhook_endpoint e JOIN webhook_delivery d ON d.endpoint_id = e.id WHERE e.public_id = ANY ($1) GROUP BY e.id ORDER BY e.id`,
    [[deleted.id, closed.id]],
  )
  const ended = { state: 'deleted', description: '', secret: 0, deliveries: ['cancelled'] }
  expect(rows).toEqual([
    { ...ended, url: fixture.receiver.url() },
    { ...ended, url: '' },
  ])
  fixture.nowMs += 30 * dayMs + 1
  await tidyDeliveries(fixture.deps())
  expect(await fixture.pool.webhookEndpoint.count({ where: { publicId: { in: [deleted.id, closed.id] } } })).toBe(0)
})

test('a wrong process clock neither delays events nor releases leases early', async () => {
  const endpoint = await fixture.endpoint(await fixture.account())
  fixture.happen({}, {})
  await fanOut(fixture.pool, fixture.source)
  const lease =
    "SELECT leased_until > clock_timestamp() AND leased_until <= clock_timestamp() + interval '30 seconds' AS is_held FROM webhook_endpoint WHERE public_id = $1"
  const held: unknown[] = []
  fixture.receiver.usual = (response) => void fixture.pool.query(lease, [endpoint.id]).then(({ rows }) => held.push(rows[0]?.is_held) && response.end())
  const databaseNow = () => null
  await fixture.drain({ databaseNow, now: () => Date.now() - dayMs })
  expect(held).toEqual([true, true])
  fixture.receiver.usual = 500
  fixture.happen({})
  await fanOut(fixture.pool, fixture.source)
  await fixture.drain({ databaseNow, now: () => Date.now() + dayMs })
  const { rows } = await fixture.pool.query(
    `SELECT d.attempts, extract(epoch FROM d.due_at - clock_timestamp()) BETWEEN 50 AND 60 AS is_in_a_minute FROM webhook_delivery d
     JOIN webhook_endpoint e ON e.id = d.endpoint_id WHERE e.public_id = $1 AND d.state = 'waiting'`,
    [endpoint.id],
  )
  expect(rows).toEqual([{ attempts: 1, is_in_a_minute: true }])
})

test('creating an endpoint waits for a running fan-out without holding a lock on its account', async () => {
  const account = await fixture.account()
  const client = await fixture.pool.connect()
  await client.query('BEGIN')
  await client.query('UPDATE webhook_progress SET after_seq = after_seq')
  const made = fixture.endpoint(account)
  const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
  await expect.poll(async () => (await fixture.pool.query(waiting)).rowCount, { interval: 10 }).toBe(1)
  await fixture.pool.query('SELECT FROM webhook_account WHERE account_id = $1 FOR NO KEY UPDATE NOWAIT', [account.id])
  await client.query('ROLLBACK')
  client.release()
  await made
})

test('creates endpoints only for accounts with webhooks enabled', async () => {
  const account = await fixture.account()
  await switchWebhooks(fixture.deps(), account.email, false)
  const given = { url: fixture.receiver.url(), types: ['rate.changed' as const], providers: [], accountTypes: [], minChangeBp: null, description: '' }
  await expect(createWebhook(fixture.deps(), fixture.owner(account), given)).rejects.toMatchObject({ refusal: { code: 'webhooks_not_enabled' } })
})

test('redelivers a long time range in several requests, limits redeliveries per hour, and rejects paused endpoints', async () => {
  const endpoint = await fixture.endpoint(await fixture.account())
  await fixture.pool.query(
    `WITH v AS (INSERT INTO webhook_event (id, type, created_at, data, data_with_logos)
       SELECT 'evt_long_' || n, 'rate.changed', $2, '{}', '{}' FROM generate_series(1, 5001) n RETURNING id)
     INSERT INTO webhook_delivery (public_id, endpoint_id, account_id, event_id, state, due_at, created_at, charged_at)
     SELECT 'dlv_long_' || v.id, e.id, e.account_id, v.id, 'delivered', $2, $2, $2 FROM webhook_endpoint e, v WHERE e.public_id = $1`,
    [endpoint.id, fixture.now],
  )
  const span = { kind: 'range', from: fixture.now, to: new Date(fixture.nowMs + 1) } as const
  const first = await again(endpoint, { ...span, after: null })
  expect(first).toEqual({ count: 5_000, next: expect.any(String) })
  expect(await again(endpoint, { ...span, after: first.next })).toEqual({ count: 1, next: null })
  const reset = "UPDATE webhook_delivery SET state = 'delivered' WHERE state = 'waiting'"
  await fixture.pool.query(reset)
  fixture.nowMs += 20 * minuteMs
  expect((await again(endpoint, { ...span, after: null })).count).toBe(4_999)
  await fixture.pool.query(reset)
  await expect(again(endpoint, { ...span, after: null })).rejects.toThrow('You can redeliver 10,000 deliveries an hour per endpoint. Try again in 40 minutes.')
  const [newest] = await fixture.deliveries(endpoint)
  await expect(again(endpoint, { kind: 'one', id: newest?.id ?? '' })).rejects.toThrow('Try again in 40 minutes.')
  fixture.nowMs += 40 * minuteMs
  expect((await again(endpoint, { kind: 'one', id: newest?.id ?? '' })).count).toBe(1)
  await pauseWebhook(fixture.deps(), fixture.owner(endpoint.account), endpoint.id)
  await expect(again(endpoint, { ...span, after: null })).rejects.toThrow('This endpoint is paused or disabled. Resume it first.')
})

test('finishes deliveries in progress if claiming due webhooks fails, and retries the claim', async () => {
  const account = await fixture.account()
  await fixture.endpoint(account, { url: fixture.receiver.url('/slow'), types: ['product.added'] })
  await fixture.endpoint(account, { url: fixture.receiver.url('/quick') })
  let answer = () => {}
  fixture.receiver.usual = (response, { path }) => {
    if (path === '/quick') response.end()
    else answer = () => response.end()
  }
  await fixture.one({ type: 'product.added' })
  const running = new AbortController()
  const work = fixture.worker().run(running.signal)
  await expect.poll(() => fixture.receiver.at('/slow').length, { interval: 10 }).toBe(1)
  await fixture.pool.query('ALTER FUNCTION claim_webhooks RENAME TO claim_webhooks_later')
  await expect.poll(() => fixture.log.length, { timeout: 5_000, interval: 10 }).toBeGreaterThan(0)
  await fixture.pool.query('ALTER FUNCTION claim_webhooks_later RENAME TO claim_webhooks')
  await fixture.one()
  await expect.poll(() => fixture.receiver.at('/quick').length, { timeout: 5_000, interval: 10 }).toBe(1)
  answer()
  running.abort()
  await work
  for (const { msg } of fixture.log.splice(0)) expect(msg).toContain('Failed to claim due webhooks')
})

test('sends only test events while live keys would be rejected: before approval and while licence reacceptance is overdue', async () => {
  const account = await fixture.account({ approved: false })
  const endpoint = await fixture.endpoint(account)
  const test = () => testWebhook(fixture.deps(), fixture.owner(account), endpoint.id, null)
  await fixture.one()
  await test()
  expect(await fixture.after(0)).toBe(1)
  expect(fixture.receiver.got[0]?.body.id).toMatch(/^evt_test_/)
  await approveAccount(fixture.pool, account.email)
  expect(await fixture.after(5 * minuteMs)).toBe(1)
  await fixture.pool.query(`INSERT INTO licence_version (label, published_at, grace_ends_at) VALUES ('v2026-12', $1, $2)`, [
    fixture.now,
    new Date(fixture.nowMs + dayMs),
  ])
  await fixture.one()
  expect(await fixture.after(dayMs - 1)).toBe(1)
  await fixture.one()
  await test()
  expect(await fixture.after(1)).toBe(1)
  await fixture.pool.query("UPDATE account SET accepted_licence = 'v2026-12' WHERE id = $1", [account.id])
  expect(await fixture.after(5 * minuteMs)).toBe(1)
  await fixture.pool.query("DELETE FROM licence_version WHERE label = 'v2026-12'")
})

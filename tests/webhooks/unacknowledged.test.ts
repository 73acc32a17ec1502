/** Tests the limit on market events that receivers get without acknowledging them, which are therefore not charged. */
import { expect, test } from 'vitest'
import { unacknowledged } from '#server/api/contract/webhooks.ts'
import { getAccess } from '#server/webhooks/access.ts'
import { deleteWebhook, resumeWebhook, testWebhook } from '#server/webhooks/manage-endpoints.ts'
import { redeliver } from '#server/webhooks/redeliver.ts'
import type { TestAccount } from '../support/accounts.ts'
import { type Endpoint, minuteMs, WebhookFixture } from './support/webhook-fixture.ts'

const fixture = new WebhookFixture()
const dayMs = 1_440 * minuteMs
const max = unacknowledged.events

const emit = (count: number) => fixture.emit(...Array.from({ length: count }, () => ({})))
/** Events that the receiver got, each counted once per endpoint; without test events. */
const got = () => new Set(fixture.receiver.got.filter(({ body }) => !body.id.startsWith('evt_test')).map(({ path, body }) => `${path} ${body.id}`))
const limitOf = async (account: TestAccount) => (await getAccess(fixture.deps(), account.id)).unacknowledged
const retryFailed = ({ id, account }: Endpoint) => redeliver(fixture.deps(), fixture.owner(account), id, { kind: 'failed' })

test('a receiver that answers 500 to every live event gets a limited number, even if its owner tests, resumes and recreates the endpoint', async () => {
  const account = await fixture.account({ credits: 5_000 })
  const owner = fixture.owner(account)
  let endpoint = await fixture.endpoint(account)
  fixture.receiver.usual = (response, { body }) => response.writeHead(body.id.startsWith('evt_test') ? 200 : 500).end()
  for (let n = 0; n < 5; n++) {
    await emit(30)
    await testWebhook(fixture.deps(), owner, endpoint.id, null)
    await fixture.after(0)
    await resumeWebhook(fixture.deps(), owner, endpoint.id)
    await fixture.after(6 * minuteMs)
    if (n % 2 === 1) await deleteWebhook(fixture.deps(), owner, endpoint.id)
    if (n % 2 === 1) endpoint = await fixture.endpoint(account)
  }
  expect(got().size).toBe(max)
  expect([await fixture.balance(account), await limitOf(account)]).toEqual([5_000, { events: max, allowed: max }])
  // The state of the endpoint is unchanged, and a test event is still sent.
  const before = fixture.receiver.got.length
  await testWebhook(fixture.deps(), owner, endpoint.id, null)
  await fixture.after(minuteMs)
  expect(fixture.receiver.got.slice(before).some(({ body }) => body.id.startsWith('evt_test'))).toBe(true)
  expect((await fixture.notices(account)).filter((notice) => notice === 'unacknowledged')).toHaveLength(1)
})

test('never exceeds the limit when many workers send to many endpoints', async () => {
  const account = await fixture.account({ credits: 5_000 })
  for (let n = 0; n < 20; n++) await fixture.endpoint(account, { url: fixture.receiver.url(`/${n}`) })
  fixture.receiver.usual = 500
  await emit(12)
  await Promise.all(Array.from({ length: 6 }, () => fixture.drain()))
  for (let n = 0; n < 10; n++) await fixture.after(5 * minuteMs)
  expect(got().size).toBe(max)
  expect(await limitOf(account)).toEqual({ events: max, allowed: max })
})

test('a receiver that is repaired gets every event, and each is charged once', async () => {
  const account = await fixture.account({ credits: 5_000 })
  const endpoint = await fixture.endpoint(account)
  fixture.receiver.usual = 500
  const events = await emit(max + 30)
  await fixture.after(0)
  expect([got().size, await fixture.notices(account)]).toEqual([max, ['unacknowledged']])
  // Events that the receiver got before are retried on schedule while new ones wait.
  expect(await fixture.after(minuteMs)).toBe(max)
  fixture.receiver.usual = 200
  await fixture.after(5 * minuteMs)
  expect(got()).toEqual(new Set(events.map(({ id }) => `/hook ${id}`)))
  expect([await fixture.balance(account), await limitOf(account)]).toEqual([5_000 - 5 * events.length, null])
  expect(await fixture.state(endpoint)).toMatchObject({ state: 'active', waiting: 0 })
})

test('events whose retries ended are redelivered by hand, and the waiting ones follow', async () => {
  const account = await fixture.account({ credits: 5_000 })
  const endpoint = await fixture.endpoint(account)
  fixture.receiver.usual = 500
  await emit(max + 3)
  await fixture.after(0)
  await fixture.pool.query("UPDATE webhook_delivery SET state = 'dead', settled_at = $2 WHERE account_id = $1 AND attempts > 0", [account.id, fixture.now])
  fixture.receiver.usual = 200
  expect(await fixture.after(60 * minuteMs)).toBe(0)
  expect((await fixture.state(endpoint)).waiting).toBe(3)
  expect((await retryFailed(endpoint)).count).toBe(max)
  await fixture.after(0)
  expect(await fixture.state(endpoint)).toMatchObject({ state: 'active', waiting: 0 })
  expect(await fixture.balance(account)).toBe(5_000 - 5 * (max + 3))
})

test('an endpoint that pays for its events gets all of them, although another endpoint has used up the limit', async () => {
  const account = await fixture.account({ credits: 5_000 })
  for (const path of ['/production', '/staging']) await fixture.endpoint(account, { url: fixture.receiver.url(path) })
  fixture.receiver.usual = (response, { path }) => response.writeHead(path === '/staging' ? 500 : 200).end()
  for (let n = 0; n < 4; n++) {
    await emit(60)
    await fixture.after(minuteMs)
  }
  const gotBy = (path: string) => [...got()].filter((one) => one.startsWith(path)).length
  expect(gotBy('/production ')).toBe(240)
  expect(gotBy('/staging ')).toBe(max + 240 / unacknowledged.perCharged)
  expect(await fixture.balance(account)).toBe(5_000 - 5 * 240)
})

test('events that wait for a retry can be redelivered at once after a repair', async () => {
  const account = await fixture.account({ credits: 5_000 })
  const endpoint = await fixture.endpoint(account)
  fixture.receiver.usual = 500
  await emit(max + 3)
  await fixture.after(0)
  fixture.receiver.usual = 200
  expect((await retryFailed(endpoint)).count).toBe(max)
  await fixture.after(0)
  expect(await fixture.state(endpoint)).toMatchObject({ state: 'active', waiting: 0 })
  expect(await fixture.balance(account)).toBe(5_000 - 5 * (max + 3))
})

test('the limit grows by a quarter of the events that were charged, and looks back seven days', async () => {
  const account = await fixture.account({ credits: 50_000 })
  const endpoint = await fixture.endpoint(account)
  await emit(40)
  await fixture.after(0)
  fixture.receiver.usual = 500
  await emit(max + 20)
  await fixture.after(0)
  expect(await limitOf(account)).toEqual({ events: max + 10, allowed: max + 40 / unacknowledged.perCharged })
  const { nowMs } = fixture
  // The retries have ended, and the receiver still fails.
  await fixture.pool.query("UPDATE webhook_delivery SET state = 'dead', settled_at = $2 WHERE account_id = $1 AND attempts > 0", [account.id, fixture.now])
  fixture.nowMs = nowMs + unacknowledged.days * dayMs - 1
  await resumeWebhook(fixture.deps(), fixture.owner(account), endpoint.id)
  expect(await fixture.after(0)).toBe(0)
  expect(await fixture.after(5 * minuteMs)).toBe(10)
  expect((await fixture.state(endpoint)).state).toBe('active')
})

test('counts an event once the receiver may have got it, and no free event', async () => {
  const account = await fixture.account()
  const endpoint = await fixture.endpoint(account)
  const counted = async () =>
    (await fixture.pool.query('SELECT events::int FROM webhook_unacknowledged($1, $2)', [account.id, fixture.now])).rows[0]?.events as number
  // Reads the body, and closes the connection without a response.
  fixture.receiver.next.push((response) => response.socket?.destroy())
  await fixture.one()
  await fixture.after(0)
  expect([fixture.receiver.got.length, await counted()]).toEqual([1, 1])
  await fixture.after(minuteMs)
  expect(await counted()).toBe(0)
  fixture.receiver.usual = 500
  await testWebhook(fixture.deps(), fixture.owner(account), endpoint.id, null)
  await fixture.after(0)
  expect([fixture.receiver.got.length, await counted()]).toEqual([3, 0])
  // No connection, so nothing was sent.
  await fixture.pool.query('UPDATE webhook_endpoint SET url = $2 WHERE public_id = $1', [endpoint.id, 'http://127.0.0.1:9/'])
  await fixture.one()
  await fixture.after(0)
  expect([(await fixture.delivery(endpoint)).attempts, await counted()]).toEqual([1, 0])
})

test('an event is counted even if its endpoint is deleted while the receiver reads it', async () => {
  const account = await fixture.account()
  const endpoint = await fixture.endpoint(account)
  fixture.receiver.next.push((response) => {
    const cancelled = "UPDATE webhook_delivery SET state = 'cancelled', settled_at = $2 WHERE account_id = $1"
    void deleteWebhook(fixture.deps(), fixture.owner(account), endpoint.id)
      .then(() => fixture.pool.query(cancelled, [account.id, fixture.now]))
      .then(() => response.writeHead(500).end())
  })
  await fixture.one()
  await fixture.after(0)
  const { rows } = await fixture.pool.query('SELECT state, unacknowledged_at FROM webhook_delivery WHERE account_id = $1', [account.id])
  expect(rows).toEqual([{ state: 'cancelled', unacknowledged_at: fixture.now }])
})

test('an endpoint that owes events stops at the limit, although it was charged for earlier ones', async () => {
  const account = await fixture.account({ credits: 5_000 })
  const endpoint = await fixture.endpoint(account)
  await emit(4)
  await fixture.after(0)
  expect(await fixture.balance(account)).toBe(4_980)
  await emit(max + 4 / unacknowledged.perCharged)
  // As if the credits had been spent elsewhere while these were being delivered.
  await fixture.pool.query(
    "UPDATE webhook_delivery SET state = 'delivered', is_owed = true, delivered_at = $2, settled_at = $2 WHERE account_id = $1 AND state = 'waiting'",
    [account.id, fixture.now],
  )
  await emit(1)
  expect(await fixture.after(0)).toBe(0)
  expect(await fixture.state(endpoint)).toMatchObject({ state: 'active', waiting: 1 })
})

test('events that were delivered but not paid for count towards the limit', async () => {
  const account = await fixture.account({ credits: 1_000 })
  for (let n = 0; n < 5; n++) await fixture.endpoint(account, { url: fixture.receiver.url(`/${n}`) })
  // Spends the credits while the first event is being delivered, and adds credits again, which pay for the owed events first.
  let balance = 1_000
  fixture.receiver.usual = (response) => {
    const spent = balance
    balance = 0
    void (spent > 0 ? fixture.credit(account, -spent) : Promise.resolve()).then(() => response.writeHead(200).end())
  }
  await emit(max)
  await fixture.drain()
  const { rows } = await fixture.pool.query('SELECT count(*)::int AS owed FROM webhook_delivery WHERE account_id = $1 AND is_owed', [account.id])
  const { owed } = rows[0] as { owed: number }
  expect(owed).toBeGreaterThan(0)
  expect((await fixture.pool.query('SELECT events::int FROM webhook_unacknowledged($1, $2)', [account.id, fixture.now])).rows).toEqual([{ events: owed }])
  expect(owed).toBeLessThanOrEqual(max)
})

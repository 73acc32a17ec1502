/** Tests deliveries, the balance that pays for them, and the owner's changes to endpoints, with a real receiver and a fake clock. */
import { expect, test } from 'vitest'
import { getDelivery } from '#server/webhooks/deliveries.ts'
import { resumeHeld } from '#server/webhooks/fan-out.ts'
import { deleteWebhook, pauseWebhook, resumeWebhook, testWebhook } from '#server/webhooks/manage-endpoints.ts'
import { verifies } from '../requirements/verifies.ts'
import { minuteMs, WebhookFixture } from './support/webhook-fixture.ts'

const fixture = new WebhookFixture()
verifies(
  ['webhooks/paused-without-balance', 'webhooks/resumes-on-top-up', 'webhooks/resumes-in-order'],
  'holds an endpoint if the balance does not cover its next event, and resumes in order after a top-up',
  async () => {
    const account = await fixture.account({ credits: 12 })
    const endpoint = await fixture.endpoint(account)
    const events = await fixture.emit({}, {}, {}, {}, {})
    expect(await fixture.after(0)).toBe(2)
    expect(await fixture.balance(account)).toBe(2)
    expect(await fixture.state(endpoint)).toMatchObject({ state: 'held', waiting: 3 })
    expect(await fixture.notices(account)).toEqual(['held'])
    expect((await fixture.state(endpoint)).shortage).toEqual({ isCapped: false, missingCredits: 13 })
    // The endpoint is held, not deleted: events are still queued, but nothing is sent, not even due retries.
    const more = await fixture.emit({}, {})
    expect(await fixture.after(1440 * minuteMs)).toBe(0)
    // The balance of 4 credits is still too low for the next event.
    await fixture.credit(account, 2)
    expect(await fixture.after(minuteMs)).toBe(0)
    expect((await fixture.state(endpoint)).state).toBe('held')
    await fixture.credit(account, 100)
    expect(await fixture.after(0)).toBe(5)
    expect(fixture.receiver.got.map(({ body }) => body.id)).toEqual([...events, ...more].map(({ id }) => id))
    expect(await fixture.balance(account)).toBe(104 - 25)
    expect(await fixture.state(endpoint)).toMatchObject({ state: 'active', waiting: 0 })
    expect(await fixture.notices(account)).toEqual(['held'])
  },
)

test("counts events towards the account's monthly cap and resumes when the cap is raised or the month ends", async () => {
  const account = await fixture.account({ credits: 100 })
  const endpoint = await fixture.endpoint(account)
  const capped = async (cap: number) => {
    await fixture.pool.query('UPDATE wallet SET month_cap = $2 WHERE account_id = $1', [account.id, cap])
    await resumeHeld(fixture.pool, fixture.now)
  }
  const spent = async () => Number((await fixture.pool.query('SELECT month_spent FROM wallet WHERE account_id = $1', [account.id])).rows[0]?.month_spent)
  await capped(12)
  const events = await fixture.emit({}, {}, {}, {}, {})
  expect(await fixture.after(0)).toBe(2)
  expect(await fixture.state(endpoint)).toMatchObject({ state: 'held', waiting: 3, shortage: { isCapped: true, missingCredits: 0 } })
  expect([await fixture.balance(account), await spent(), await fixture.notices(account)]).toEqual([90, 10, ['capped']])
  // Adding credits does not help, because the cap is used up.
  await fixture.credit(account, 50)
  expect(await fixture.after(minuteMs)).toBe(0)
  await capped(25)
  expect(await fixture.after(0)).toBe(3)
  expect(fixture.receiver.got.map(({ body }) => body.id)).toEqual(events.map(({ id }) => id))
  expect([await fixture.balance(account), await spent()]).toEqual([125, 25])
  await fixture.one()
  expect(await fixture.after(minuteMs)).toBe(0)
  fixture.nowMs = Date.UTC(2026, 11, 1) - 1
  await resumeHeld(fixture.pool, fixture.now)
  expect(await fixture.after(0)).toBe(0)
  fixture.nowMs += 1
  await resumeHeld(fixture.pool, fixture.now)
  expect(await fixture.after(0)).toBe(1)
  expect([await fixture.balance(account), await spent()]).toEqual([120, 5])
  // If a call uses up the cap while a delivery is in flight, the event is not charged beyond the cap: it is owed, and charged once the cap allows.
  await capped(12)
  fixture.receiver.next.push(
    (response) => void fixture.pool.query('UPDATE wallet SET month_spent = 10 WHERE account_id = $1', [account.id]).then(() => response.end()),
  )
  await fixture.one()
  await fixture.after(0)
  expect([await fixture.balance(account), await spent(), (await fixture.delivery(endpoint)).isOwed]).toEqual([120, 10, true])
  await capped(15)
  expect([await fixture.balance(account), await spent(), (await fixture.delivery(endpoint)).chargedCredits]).toEqual([115, 15, 5])
})

test('a failed attempt is free, and does not put the endpoint on hold when the balance is low', async () => {
  const account = await fixture.account({ credits: 5 })
  const endpoint = await fixture.endpoint(account)
  fixture.receiver.next.push(500)
  await fixture.one()
  expect(await fixture.after(0)).toBe(1)
  expect((await fixture.state(endpoint)).state).toBe('active')
  expect(await fixture.after(minuteMs)).toBe(1)
  expect(await fixture.balance(account)).toBe(0)
  // Nothing is waiting, so the endpoint isn't held.
  expect((await fixture.state(endpoint)).state).toBe('active')
})

test('if the balance is spent while an event is in flight, charges the event once when credits are next added', async () => {
  const account = await fixture.account({ credits: 5 })
  const endpoint = await fixture.endpoint(account)
  fixture.receiver.next.push((response) => void fixture.credit(account, -3).then(() => response.writeHead(200).end()))
  await fixture.one()
  expect(await fixture.after(0)).toBe(1)
  expect(await fixture.delivery(endpoint)).toMatchObject({ state: 'delivered', chargedCredits: 0, isOwed: true })
  expect(await fixture.balance(account)).toBe(2)
  await fixture.one()
  expect(await fixture.after(0)).toBe(0)
  expect((await fixture.state(endpoint)).state).toBe('held')
  // 2 + 6 credits pay for the owed event but not for the next one.
  await fixture.credit(account, 6)
  expect(await fixture.balance(account)).toBe(3)
  expect(await fixture.after(0)).toBe(0)
  await fixture.credit(account, 2)
  expect(await fixture.after(0)).toBe(1)
  expect(await fixture.balance(account)).toBe(0)
  expect((await fixture.charges(account)).length).toBe(2)
})

test('a test endpoint with deliveries in progress reserves no credits', async () => {
  const account = await fixture.account({ credits: 5 })
  const busy = await fixture.endpoint(account)
  await fixture.pool.query("UPDATE webhook_endpoint SET mode = 'test', leased_until = $2 WHERE public_id = $1", [
    busy.id,
    new Date(fixture.nowMs + 60 * minuteMs),
  ])
  await fixture.endpoint(account)
  await fixture.one()
  expect(await fixture.after(0)).toBe(1)
  expect(await fixture.balance(account)).toBe(0)
})

test("never sends more events to an account's endpoints than its balance covers", async () => {
  const account = await fixture.account({ credits: 15 })
  for (let n = 0; n < 8; n++) await fixture.endpoint(account, { url: fixture.receiver.url(`/${n}`) })
  await fixture.emit({}, {})
  await Promise.all([1, 2, 3, 4].map(() => fixture.drain()))
  for (let second = 0; second < 3; second++) await fixture.after(1_000)
  expect(fixture.receiver.got.length).toBe(3)
  expect(await fixture.balance(account)).toBe(0)
  expect((await fixture.charges(account)).length).toBe(3)
})

verifies('webhooks/test-events-free', async () => {
  const account = await fixture.account({ credits: 3 })
  const endpoint = await fixture.endpoint(account, { types: ['product.added', 'rate.changed'] })
  fixture.receiver.next.push(500)
  const made = await testWebhook(fixture.deps(), fixture.owner(account), endpoint.id, null)
  expect(await fixture.after(0)).toBe(1)
  expect(await fixture.after(minuteMs)).toBe(1)
  const [, got] = fixture.receiver.got
  expect(got?.body).toMatchObject({ id: made.event, type: 'product.added', attempt: 2, data: { sampleOf: 'product.added' } })
  expect(got?.headers).toMatchObject({ 'x-svc-event': 'product.added', 'x-svc-delivery': made.delivery })
  expect(await fixture.delivery(endpoint)).toMatchObject({ isTest: true, state: 'delivered', chargedCredits: 0 })
  expect([await fixture.balance(account), await fixture.charges(account)]).toEqual([3, []])
  // Test events are free, so they are sent even while the endpoint is held; paid events keep waiting.
  await fixture.one()
  await fixture.after(0)
  await testWebhook(fixture.deps(), fixture.owner(account), endpoint.id, 'rate.changed')
  await fixture.after(0)
  expect(fixture.receiver.got.length).toBe(3)
  expect(await fixture.state(endpoint)).toMatchObject({ state: 'held', waiting: 1 })
})

test('keeps the events of a paused endpoint and resumes in order', async () => {
  const account = await fixture.account()
  const endpoint = await fixture.endpoint(account)
  await pauseWebhook(fixture.deps(), fixture.owner(account), endpoint.id)
  const events = await fixture.emit({}, {}, {})
  expect(await fixture.after(1440 * minuteMs)).toBe(0)
  await resumeWebhook(fixture.deps(), fixture.owner(account), endpoint.id)
  expect(await fixture.after(0)).toBe(3)
  expect(fixture.receiver.got.map(({ body }) => body.id)).toEqual(events.map(({ id }) => id))
})

test('never sends deliveries waiting for a deleted endpoint', async () => {
  const account = await fixture.account()
  const endpoint = await fixture.endpoint(account)
  fixture.receiver.usual = 500
  await fixture.one()
  await fixture.after(0)
  await deleteWebhook(fixture.deps(), fixture.owner(account), endpoint.id)
  await fixture.one()
  expect(await fixture.after(1440 * minuteMs)).toBe(0)
  await expect(fixture.state(endpoint)).rejects.toThrow('Endpoint not found.')
  const { rows } = await fixture.pool.query('SELECT secret, old_secret, state FROM webhook_endpoint WHERE public_id = $1', [endpoint.id])
  expect(rows).toEqual([{ secret: Buffer.alloc(0), old_secret: null, state: 'deleted' }])
})

test('stores the first 2 KB each of response headers and the body', async () => {
  const endpoint = await fixture.endpoint(await fixture.account())
  const long = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x-long-${n}`, 'v'.repeat(600)]))
  fixture.receiver.next.push((response) => response.writeHead(500, { 'x-of-receiver': 'yes', 'content-type': 'text/plain', ...long }).end('é'.repeat(5_000)))
  // An endless response is read only up to the limit.
  fixture.receiver.next.push((response) => {
    response.writeHead(200)
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
    }
    response.on('drain', pour)
    pour()
  })
  fixture.receiver.next.push((response) => response.writeHead(200).end('a\u0000b'))
  await fixture.one()
  await fixture.after(0)
  await fixture.after(minuteMs)
  await fixture.one()
  await fixture.after(0)
  const [newest, first] = await fixture.deliveries(endpoint)
  const { tries } = await getDelivery(fixture.deps(), endpoint.account.id, first?.id ?? '')
  expect(tries.map(({ isDelivered, body }) => [isDelivered, body])).toEqual([
    [true, 'x'.repeat(2_048)],
    [false, 'é'.repeat(1_024)],
  ])
  expect(tries[1]?.headers).toEqual({
    'x-of-receiver': 'yes',
    'content-type': 'text/plain',
    'x-long-0': 'v'.repeat(500),
    'x-long-1': 'v'.repeat(500),
    'x-long-2': 'v'.repeat(500),
  })
  expect((await getDelivery(fixture.deps(), endpoint.account.id, newest?.id ?? '')).tries[0]?.body).toBe('a\ufffdb')
})

/** Deliveries and the balance that pays for them, and the owner's changes to endpoints, with a real receiver and a fake clock. */
import { expect, test } from 'vitest'
import { deliveryOf } from '#server/webhooks/deliveries.ts'
import { deleteWebhook, pauseWebhook, resumeWebhook, testWebhook } from '#server/webhooks/endpoints.ts'
import { resumeHeld } from '#server/webhooks/resume.ts'
import { verifies } from '../requirements/verifies.ts'
import { minuteMs, WebhookStage } from './support/webhook-stage.ts'

const stage = new WebhookStage()
verifies(
  ['webhooks/paused-without-balance', 'webhooks/resumes-on-top-up', 'webhooks/resumes-in-order'],
  'holds an endpoint whose next event the balance does not cover, and resumes in order after a top-up',
  async () => {
    const account = await stage.account({ credits: 12 })
    const endpoint = await stage.endpoint(account)
    const events = await stage.emit({}, {}, {}, {}, {})
    expect(await stage.after(0)).toBe(2)
    expect(await stage.balance(account)).toBe(2)
    expect(await stage.state(endpoint)).toMatchObject({ state: 'held', waiting: 3 })
    expect(await stage.notices(account)).toEqual(['held'])
    expect((await stage.state(endpoint)).shortage).toEqual({ isCapped: false, missingCredits: 13 })
    // Held, not deleted: events are still queued, but nothing is sent, even when retries would be due.
    const more = await stage.emit({}, {})
    expect(await stage.after(1440 * minuteMs)).toBe(0)
    // Not enough yet.
    await stage.credit(account, 2)
    expect(await stage.after(minuteMs)).toBe(0)
    expect((await stage.state(endpoint)).state).toBe('held')
    await stage.credit(account, 100)
    expect(await stage.after(0)).toBe(5)
    expect(stage.receiver.got.map(({ body }) => body.id)).toEqual([...events, ...more].map(({ id }) => id))
    expect(await stage.balance(account)).toBe(104 - 25)
    expect(await stage.state(endpoint)).toMatchObject({ state: 'active', waiting: 0 })
    expect(await stage.notices(account)).toEqual(['held'])
  },
)

test("counts events towards the account's monthly cap and resumes when the cap is raised or the month ends", async () => {
  const account = await stage.account({ credits: 100 })
  const endpoint = await stage.endpoint(account)
  const capped = async (cap: number) => {
    await stage.pool.query('UPDATE wallet SET month_cap = $2 WHERE account_id = $1', [account.id, cap])
    await resumeHeld(stage.pool, stage.now)
  }
  const spent = async () => Number((await stage.pool.query('SELECT month_spent FROM wallet WHERE account_id = $1', [account.id])).rows[0]?.month_spent)
  await capped(12)
  const events = await stage.emit({}, {}, {}, {}, {})
  expect(await stage.after(0)).toBe(2)
  expect(await stage.state(endpoint)).toMatchObject({ state: 'held', waiting: 3, shortage: { isCapped: true, missingCredits: 0 } })
  expect([await stage.balance(account), await spent(), await stage.notices(account)]).toEqual([90, 10, ['capped']])
  // The balance is not the problem.
  await stage.credit(account, 50)
  expect(await stage.after(minuteMs)).toBe(0)
  await capped(25)
  expect(await stage.after(0)).toBe(3)
  expect(stage.receiver.got.map(({ body }) => body.id)).toEqual(events.map(({ id }) => id))
  expect([await stage.balance(account), await spent()]).toEqual([125, 25])
  await stage.one()
  expect(await stage.after(minuteMs)).toBe(0)
  stage.nowMs = Date.UTC(2026, 11, 1) - 1
  await resumeHeld(stage.pool, stage.now)
  expect(await stage.after(0)).toBe(0)
  stage.nowMs += 1
  await resumeHeld(stage.pool, stage.now)
  expect(await stage.after(0)).toBe(1)
  expect([await stage.balance(account), await spent()]).toEqual([120, 5])
  // If a call uses up the cap while a request is in flight, the event doesn't exceed the cap: it is owed, and charged when there is room.
  await capped(12)
  stage.receiver.next.push(
    (response) => void stage.pool.query('UPDATE wallet SET month_spent = 10 WHERE account_id = $1', [account.id]).then(() => response.end()),
  )
  await stage.one()
  await stage.after(0)
  expect([await stage.balance(account), await spent(), (await stage.delivery(endpoint)).isOwed]).toEqual([120, 10, true])
  await capped(15)
  expect([await stage.balance(account), await spent(), (await stage.delivery(endpoint)).chargedCredits]).toEqual([115, 15, 5])
})

test('does not hold an endpoint with a low balance after a failure, and failures are free', async () => {
  const account = await stage.account({ credits: 5 })
  const endpoint = await stage.endpoint(account)
  stage.receiver.next.push(500)
  await stage.one()
  expect(await stage.after(0)).toBe(1)
  expect((await stage.state(endpoint)).state).toBe('active')
  expect(await stage.after(minuteMs)).toBe(1)
  expect(await stage.balance(account)).toBe(0)
  // Nothing is waiting, so the endpoint isn't held.
  expect((await stage.state(endpoint)).state).toBe('active')
})

test('charges an event once to the next credits if the balance was spent while it was in flight', async () => {
  const account = await stage.account({ credits: 5 })
  const endpoint = await stage.endpoint(account)
  stage.receiver.next.push((response) => void stage.credit(account, -3).then(() => response.writeHead(200).end()))
  await stage.one()
  expect(await stage.after(0)).toBe(1)
  expect(await stage.delivery(endpoint)).toMatchObject({ state: 'delivered', chargedCredits: 0, isOwed: true })
  expect(await stage.balance(account)).toBe(2)
  await stage.one()
  expect(await stage.after(0)).toBe(0)
  expect((await stage.state(endpoint)).state).toBe('held')
  // 2 + 6 credits pay for the owed event but not for the next one.
  await stage.credit(account, 6)
  expect(await stage.balance(account)).toBe(3)
  expect(await stage.after(0)).toBe(0)
  await stage.credit(account, 2)
  expect(await stage.after(0)).toBe(1)
  expect(await stage.balance(account)).toBe(0)
  expect((await stage.charges(account)).length).toBe(2)
})

test('does not let endpoints of one account count on the same credits', async () => {
  const account = await stage.account({ credits: 15 })
  for (let n = 0; n < 8; n++) await stage.endpoint(account, { url: stage.receiver.url(`/${n}`) })
  await stage.emit({}, {})
  await Promise.all([1, 2, 3, 4].map(() => stage.drain()))
  for (let second = 0; second < 3; second++) await stage.after(1_000)
  expect(stage.receiver.got.length).toBe(3)
  expect(await stage.balance(account)).toBe(0)
  expect((await stage.charges(account)).length).toBe(3)
})

verifies('webhooks/test-events-free', async () => {
  const account = await stage.account({ credits: 3 })
  const endpoint = await stage.endpoint(account, { types: ['product.added', 'rate.changed'] })
  stage.receiver.next.push(500)
  const made = await testWebhook(stage.room(), stage.owner(account), endpoint.id, null)
  expect(await stage.after(0)).toBe(1)
  expect(await stage.after(minuteMs)).toBe(1)
  const [, got] = stage.receiver.got
  expect(got?.body).toMatchObject({ id: made.event, type: 'product.added', attempt: 2, data: { sampleOf: 'product.added' } })
  expect(got?.headers).toMatchObject({ 'x-svc-event': 'product.added', 'x-svc-delivery': made.delivery })
  expect(await stage.delivery(endpoint)).toMatchObject({ isTest: true, state: 'delivered', chargedCredits: 0 })
  expect([await stage.balance(account), await stage.charges(account)]).toEqual([3, []])
  // Also free while the endpoint is held, without letting paid events through.
  await stage.one()
  await stage.after(0)
  await testWebhook(stage.room(), stage.owner(account), endpoint.id, 'rate.changed')
  await stage.after(0)
  expect(stage.receiver.got.length).toBe(3)
  expect(await stage.state(endpoint)).toMatchObject({ state: 'held', waiting: 1 })
})

test('keeps the events of a paused endpoint and resumes in order', async () => {
  const account = await stage.account()
  const endpoint = await stage.endpoint(account)
  await pauseWebhook(stage.room(), stage.owner(account), endpoint.id)
  const events = await stage.emit({}, {}, {})
  expect(await stage.after(1440 * minuteMs)).toBe(0)
  await resumeWebhook(stage.room(), stage.owner(account), endpoint.id)
  expect(await stage.after(0)).toBe(3)
  expect(stage.receiver.got.map(({ body }) => body.id)).toEqual(events.map(({ id }) => id))
})

test('never sends deliveries waiting for a deleted endpoint', async () => {
  const account = await stage.account()
  const endpoint = await stage.endpoint(account)
  stage.receiver.usual = 500
  await stage.one()
  await stage.after(0)
  await deleteWebhook(stage.room(), stage.owner(account), endpoint.id)
  await stage.one()
  expect(await stage.after(1440 * minuteMs)).toBe(0)
  await expect(stage.state(endpoint)).rejects.toThrow('Endpoint not found.')
  const { rows } = await stage.pool.query('SELECT secret, old_secret, state FROM webhook_endpoint WHERE public_id = $1', [endpoint.id])
  expect(rows).toEqual([{ secret: Buffer.alloc(0), old_secret: null, state: 'deleted' }])
})

test('stores response headers and the first 2 KB of the body', async () => {
  const endpoint = await stage.endpoint(await stage.account())
  stage.receiver.next.push((response) => response.writeHead(500, { 'x-of-receiver': 'yes', 'content-type': 'text/plain' }).end('é'.repeat(5_000)))
  // An endless response is read only up to the limit.
  stage.receiver.next.push((response) => {
    response.writeHead(200)
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
    }
    response.on('drain', pour)
    pour()
  })
  stage.receiver.next.push((response) => response.writeHead(200).end('a\u0000b'))
  await stage.one()
  await stage.after(0)
  await stage.after(minuteMs)
  await stage.one()
  await stage.after(0)
  const [newest, first] = await stage.deliveries(endpoint)
  const { tries } = await deliveryOf(stage.room(), endpoint.account.id, first?.id ?? '')
  expect(tries.map(({ isDelivered, body }) => [isDelivered, body])).toEqual([
    [true, 'x'.repeat(2_048)],
    [false, 'é'.repeat(1_024)],
  ])
  expect(tries[1]?.headers).toMatchObject({ 'x-of-receiver': 'yes', 'content-type': 'text/plain' })
  expect((await deliveryOf(stage.room(), endpoint.account.id, newest?.id ?? '')).tries[0]?.body).toBe('a\ufffdb')
})

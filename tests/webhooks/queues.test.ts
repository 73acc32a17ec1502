/** Tests endpoint queues: redelivery, ordering, fairness, and receivers that keep failing. */
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { blockAccount, unblockAccount } from '#server/accounts/accounts.ts'
import { switchWebhooks } from '#server/webhooks/access.ts'
import { getDeliveries, getHealth } from '#server/webhooks/deliveries.ts'
import { pauseWebhook, resumeWebhook, testWebhook } from '#server/webhooks/manage-endpoints.ts'
import { redeliver } from '#server/webhooks/redeliver.ts'
import { type Endpoint, minuteMs, WebhookFixture } from './support/webhook-fixture.ts'

const fixture = new WebhookFixture()
const dayMs = 1_440 * minuteMs

const again = ({ id, account }: Endpoint, what: Parameters<typeof redeliver>[3]) => redeliver(fixture.deps(), fixture.owner(account), id, what)
const idsSent = () => fixture.receiver.got.map(({ body }) => body.id)

/** Makes every attempt fail until all due deliveries are dead. */
async function failAll(): Promise<void> {
  fixture.receiver.usual = 500
  for (const minutes of [0, 1, 5, 30, 120, 720]) await fixture.after(minutes * minuteMs)
  fixture.receiver.usual = 200
  fixture.receiver.got.length = 0
}

test('redelivers all failed events in order with the same ids, and charges each on its first 2xx', async () => {
  const account = await fixture.account({ credits: 100 })
  const endpoint = await fixture.endpoint(account)
  const failed = await fixture.emit({}, {}, {})
  await failAll()
  const [fine] = await fixture.emit({})
  await fixture.drain()
  const before = (await fixture.deliveries(endpoint)).map(({ id }) => id)
  expect(await again(endpoint, { kind: 'failed' })).toEqual({ count: 3, next: null })
  await fixture.drain()
  expect(idsSent()).toEqual([fine, ...failed].map((event) => event?.id))
  expect((await fixture.deliveries(endpoint)).map(({ id, state, chargedCredits }) => [id, state, chargedCredits])).toEqual(
    before.map((id) => [id, 'delivered', 5]),
  )
  expect(await fixture.balance(account)).toBe(80)
  expect(await again(endpoint, { kind: 'failed' })).toEqual({ count: 0, next: null })
})

test('redelivers only events within a time range', async () => {
  const account = await fixture.account({ credits: 100 })
  const endpoint = await fixture.endpoint(account)
  const events = []
  for (let n = 0; n < 5; n++) {
    events.push(await fixture.one())
    await fixture.after(0)
    fixture.nowMs += minuteMs
  }
  fixture.receiver.got.length = 0
  const from = new Date(fixture.nowMs - 4 * minuteMs)
  const to = new Date(fixture.nowMs - 1 * minuteMs)
  expect(await again(endpoint, { kind: 'range', from, to, after: null })).toEqual({ count: 3, next: null })
  await fixture.drain()
  expect(idsSent()).toEqual(events.slice(1, 4).map(({ id }) => id))
  expect(await fixture.balance(account)).toBe(75)
})

test("does not queue a waiting delivery twice, or another account's deliveries", async () => {
  const endpoint = await fixture.endpoint(await fixture.account())
  fixture.receiver.usual = 500
  await fixture.one()
  await fixture.after(0)
  const { id } = await fixture.delivery(endpoint)
  await expect(again(endpoint, { kind: 'one', id })).rejects.toThrow('is already queued')
  const other = await fixture.endpoint(await fixture.account(), { url: fixture.receiver.url('/other') })
  await expect(again(other, { kind: 'one', id })).rejects.toThrow("This delivery doesn't exist")
  await expect(again({ ...endpoint, account: other.account }, { kind: 'failed' })).rejects.toThrow('Endpoint not found')
})

test('lists deliveries in pages, newest first, and filters by state and type', async () => {
  const account = await fixture.account()
  const endpoint = await fixture.endpoint(account, { types: ['rate.changed', 'product.added'] })
  fixture.receiver.usual = (response, { body }) => response.writeHead(body.type === 'rate.changed' ? 200 : 500).end()
  const events = await fixture.emit(...Array.from({ length: 130 }, (_, n) => ({ type: n % 13 === 0 ? ('product.added' as const) : ('rate.changed' as const) })))
  await fixture.after(0)
  const seen: string[] = []
  const sizes: number[] = []
  for (let cursor: string | null = null, more = true; more; ) {
    const page = await getDeliveries(fixture.deps(), account.id, endpoint.id, { state: null, type: null, cursor })
    seen.push(...page.deliveries.map(({ event }) => event))
    sizes.push(page.deliveries.length)
    cursor = page.next
    more = cursor !== null
  }
  expect(sizes).toEqual([50, 50, 30])
  expect(seen).toEqual(events.map(({ id }) => id).toReversed())
  const only = async (state: 'waiting' | 'dead' | null, type: 'product.added' | null) =>
    (await getDeliveries(fixture.deps(), account.id, endpoint.id, { state, type, cursor: null })).deliveries
  expect((await only('waiting', null)).map(({ type }) => type)).toEqual(Array.from({ length: 10 }, () => 'product.added'))
  expect(await only(null, 'product.added')).toHaveLength(10)
  expect(await only('dead', null)).toEqual([])
  const health = await getHealth(fixture.deps(), account.id, endpoint.id)
  expect([health.attempts, health.successRate]).toEqual([130, 120 / 130])
})

test('hanging or slow receivers and long queues do not delay other endpoints', async () => {
  const account = await fixture.account({ credits: 10_000 })
  const quick = Array.from({ length: 10 }, (_, n) => `/quick-${n}`)
  for (const path of ['/hang-1', '/hang-2', '/slow', ...quick]) await fixture.endpoint(account, { url: fixture.receiver.url(path) })
  const hanging: ServerResponse[] = []
  let quickCount = 0
  fixture.receiver.usual = (response, { path }) => {
    if (path.startsWith('/hang')) return void hanging.push(response)
    if (path === '/slow') return void setTimeout(() => response.end(), 1_000)
    quickCount++
    response.end()
  }
  await fixture.emit(...Array.from({ length: 12 }, () => ({})))
  const running = new AbortController()
  const work = fixture.worker().run(running.signal)
  await expect.poll(() => quickCount, { timeout: 15_000, interval: 10 }).toBe(quick.length * 12)
  // The fast receivers had all events while the first requests to the hanging receivers were still open, and before the slow receiver had all its events.
  // Unlike a limit in milliseconds, this doesn't depend on the speed of the machine.
  expect(hanging.map(({ destroyed }) => destroyed)).toEqual([false, false])
  expect(fixture.receiver.at('/slow').length).toBeLessThan(12)
  running.abort()
  for (const response of hanging) response.destroy()
  await work
})

test('backs off from a hanging receiver for longer each time, and only a test event ends the back-off early', async () => {
  const account = await fixture.account()
  const hanging = await fixture.endpoint(account, { url: fixture.receiver.url('/hang') })
  fixture.receiver.usual = (response, { path }) => path !== '/hang' && response.end()
  await fixture.emit({}, {}, {}, {}, {})
  const tried = async (ms: number) => {
    fixture.nowMs += ms
    await fixture.drain({ timeoutMs: 60, atOnce: 1 })
    return fixture.receiver.at('/hang').length
  }
  expect(await tried(0)).toBe(1)
  // The hanging endpoint doesn't occupy the only slot while it backs off, so responsive endpoints still get their deliveries.
  await fixture.endpoint(account, { url: fixture.receiver.url('/other') })
  await fixture.one()
  expect([await tried(9_999), fixture.receiver.at('/other').length]).toEqual([1, 1])
  expect([await tried(1), await tried(19_999), await tried(1)]).toEqual([2, 2, 3])
  await testWebhook(fixture.deps(), fixture.owner(account), hanging.id, null)
  expect(await tried(0)).toBe(4)
})

test('with few credits, a hanging receiver delays other endpoints only until its attempt ends', async () => {
  const account = await fixture.account({ credits: 5 })
  await fixture.endpoint(account, { url: fixture.receiver.url('/hang') })
  fixture.receiver.usual = (response, { path }) => path !== '/hang' && response.end()
  await fixture.one()
  for (const path of ['/one', '/two']) await fixture.endpoint(account, { url: fixture.receiver.url(path), types: ['product.added'] })
  fixture.nowMs += 1
  await fixture.one({ type: 'product.added' })
  // The clock doesn't advance: the waiting endpoints are served because the hanging attempt has ended.
  await fixture.drain({ timeoutMs: 5_000 })
  expect(fixture.receiver.got.map(({ path }) => path)).toEqual(['/hang', expect.stringMatching(/one|two/)])
  expect(await fixture.balance(account)).toBe(0)
})

test('a single slot serves all endpoints in turn', async () => {
  const account = await fixture.account({ credits: 10_000 })
  const [long, short] = [
    await fixture.endpoint(account, { url: fixture.receiver.url('/long') }),
    await fixture.endpoint(account, { url: fixture.receiver.url('/short') }),
  ]
  await pauseWebhook(fixture.deps(), fixture.owner(account), short.id)
  await fixture.emit(...Array.from({ length: 40 }, () => ({})))
  await fixture.pool.query(`UPDATE webhook_delivery SET state = 'delivered' WHERE endpoint_id = (SELECT id FROM webhook_endpoint WHERE public_id = $1)`, [
    short.id,
  ])
  await resumeWebhook(fixture.deps(), fixture.owner(account), short.id)
  fixture.nowMs += 1
  await testWebhook(fixture.deps(), fixture.owner(account), short.id, null)
  fixture.receiver.usual = (response) => {
    fixture.nowMs += 1
    response.end()
  }
  await fixture.drain({ atOnce: 1 })
  const paths = fixture.receiver.got.map(({ path }) => path)
  expect(paths).toHaveLength(41)
  // The long queue was served first, but moved behind the short one after its first batch.
  expect(paths.indexOf('/short')).toBeLessThanOrEqual(10)
  expect((await fixture.state(long)).waiting).toBe(0)
})

test('emails the owner of a constantly failing endpoint after a day, and disables the endpoint after five days', async () => {
  const account = await fixture.account({ credits: 10_000 })
  const endpoint = await fixture.endpoint(account)
  fixture.receiver.usual = 500
  for (let hour = 0; hour < 24; hour += 4) {
    await fixture.one()
    await fixture.after(4 * 60 * minuteMs)
  }
  expect(await fixture.notices(account)).toEqual([])
  await fixture.after(5 * 60 * minuteMs)
  expect(await fixture.notices(account)).toEqual(['failing'])
  expect(await fixture.state(endpoint)).toMatchObject({ state: 'active', failingSince: expect.any(Date) })
  for (let day = 0; day < 4; day++) {
    await fixture.one()
    await fixture.after(dayMs)
  }
  await fixture.one()
  await fixture.after(0)
  expect(await fixture.notices(account)).toEqual(['failing', 'disabled'])
  expect(await fixture.state(endpoint)).toMatchObject({ state: 'disabled', stateReason: 'failures' })
  const sent = fixture.receiver.got.length
  await fixture.one()
  await fixture.after(dayMs)
  expect(fixture.receiver.got.length).toBe(sent)
})

test('a success resets the failure count', async () => {
  const account = await fixture.account({ credits: 10_000 })
  const endpoint = await fixture.endpoint(account)
  for (let day = 0; day < 8; day++) {
    fixture.receiver.usual = 500
    for (let n = 0; n < 4; n++) await fixture.one()
    await fixture.after(0)
    await fixture.after(5 * minuteMs)
    fixture.receiver.usual = 200
    await fixture.after(dayMs)
  }
  expect(await fixture.state(endpoint)).toMatchObject({ state: 'active', failingSince: null })
  expect(await fixture.notices(account)).toEqual([])
})

test('sends nothing while the account is blocked or webhooks are disabled, and resumes afterwards', async () => {
  const account = await fixture.account()
  await fixture.endpoint(account)
  await fixture.one()
  await blockAccount(fixture.pool, account.email, null)
  expect(await fixture.after(60 * minuteMs)).toBe(0)
  await unblockAccount(fixture.pool, account.email)
  expect(await fixture.after(5 * minuteMs)).toBe(1)
  // Blocking an account takes effect even in the middle of a claimed batch.
  fixture.receiver.next.push((response) => void blockAccount(fixture.pool, account.email, null).then(() => response.end()))
  await fixture.emit({}, {}, {})
  expect(await fixture.after(0)).toBe(1)
  await unblockAccount(fixture.pool, account.email)
  fixture.receiver.next.push((response) => void switchWebhooks(fixture.deps(), account.email, false).then(() => response.end()))
  expect(await fixture.after(5 * minuteMs)).toBe(1)
  expect(await fixture.after(60 * minuteMs)).toBe(0)
  // While webhooks are disabled, new events aren't queued either.
  await fixture.one()
  await switchWebhooks(fixture.deps(), account.email, true)
  expect(await fixture.after(5 * minuteMs)).toBe(1)
})

/** Endpoint queues: redelivery, ordering, fairness, and receivers that keep failing. */
import { expect, test } from 'vitest'
import { blockAccount, unblockAccount } from '#server/accounts/accounts.ts'
import { deliveriesOf, healthOf, redeliver } from '#server/webhooks/deliveries.ts'
import { pauseWebhook, resumeWebhook, switchWebhooks, testWebhook } from '#server/webhooks/endpoints.ts'
import { type Endpoint, minuteMs, WebhookStage } from './support/webhook-stage.ts'

const stage = new WebhookStage()
const dayMs = 1_440 * minuteMs

const again = ({ id, account }: Endpoint, what: Parameters<typeof redeliver>[3]) => redeliver(stage.room(), stage.owner(account), id, what)
const idsSent = () => stage.receiver.got.map(({ body }) => body.id)

/** Makes all attempts at due deliveries fail until they are dead. */
async function failAll(): Promise<void> {
  stage.receiver.usual = 500
  for (const minutes of [0, 1, 5, 30, 120, 720]) await stage.after(minutes * minuteMs)
  stage.receiver.usual = 200
  stage.receiver.got.length = 0
}

test('redelivers everything that failed in order with the same ids, and charges it on the first 2xx', async () => {
  const account = await stage.account({ credits: 100 })
  const endpoint = await stage.endpoint(account)
  const failed = await stage.emit({}, {}, {})
  await failAll()
  const [fine] = await stage.emit({})
  await stage.drain()
  const before = (await stage.deliveries(endpoint)).map(({ id }) => id)
  expect(await again(endpoint, { kind: 'failed' })).toEqual({ count: 3, next: null })
  await stage.drain()
  expect(idsSent()).toEqual([fine, ...failed].map((event) => event?.id))
  expect((await stage.deliveries(endpoint)).map(({ id, state, chargedCredits }) => [id, state, chargedCredits])).toEqual(
    before.map((id) => [id, 'delivered', 5]),
  )
  expect(await stage.balance(account)).toBe(80)
  expect(await again(endpoint, { kind: 'failed' })).toEqual({ count: 0, next: null })
})

test('redelivers only events within a time range', async () => {
  const account = await stage.account({ credits: 100 })
  const endpoint = await stage.endpoint(account)
  const events = []
  for (let n = 0; n < 5; n++) {
    events.push(await stage.one())
    await stage.after(0)
    stage.nowMs += minuteMs
  }
  stage.receiver.got.length = 0
  const from = new Date(stage.nowMs - 4 * minuteMs)
  const to = new Date(stage.nowMs - 1 * minuteMs)
  expect(await again(endpoint, { kind: 'range', from, to, after: null })).toEqual({ count: 3, next: null })
  await stage.drain()
  expect(idsSent()).toEqual(events.slice(1, 4).map(({ id }) => id))
  expect(await stage.balance(account)).toBe(75)
})

test("does not queue a waiting delivery twice, or another account's deliveries", async () => {
  const endpoint = await stage.endpoint(await stage.account())
  stage.receiver.usual = 500
  await stage.one()
  await stage.after(0)
  const { id } = await stage.delivery(endpoint)
  await expect(again(endpoint, { kind: 'one', id })).rejects.toThrow('already waiting to be sent')
  const other = await stage.endpoint(await stage.account(), { url: stage.receiver.url('/other') })
  await expect(again(other, { kind: 'one', id })).rejects.toThrow('There is no such delivery')
  await expect(again({ ...endpoint, account: other.account }, { kind: 'failed' })).rejects.toThrow('Endpoint not found')
})

test('lists deliveries in pages, newest first, and filters by state and type', async () => {
  const account = await stage.account()
  const endpoint = await stage.endpoint(account, { types: ['rate.changed', 'product.added'] })
  stage.receiver.usual = (response, { body }) => response.writeHead(body.type === 'rate.changed' ? 200 : 500).end()
  const events = await stage.emit(...Array.from({ length: 130 }, (_, n) => ({ type: n % 13 === 0 ? ('product.added' as const) : ('rate.changed' as const) })))
  await stage.after(0)
  const seen: string[] = []
  const sizes: number[] = []
  for (let cursor: string | null = null, more = true; more; ) {
    const page = await deliveriesOf(stage.room(), account.id, endpoint.id, { state: null, type: null, cursor })
    seen.push(...page.deliveries.map(({ event }) => event))
    sizes.push(page.deliveries.length)
    cursor = page.next
    more = cursor !== null
  }
  expect(sizes).toEqual([50, 50, 30])
  expect(seen).toEqual(events.map(({ id }) => id).toReversed())
  const only = async (state: 'waiting' | 'dead' | null, type: 'product.added' | null) =>
    (await deliveriesOf(stage.room(), account.id, endpoint.id, { state, type, cursor: null })).deliveries
  expect((await only('waiting', null)).map(({ type }) => type)).toEqual(Array.from({ length: 10 }, () => 'product.added'))
  expect(await only(null, 'product.added')).toHaveLength(10)
  expect(await only('dead', null)).toEqual([])
  const health = await healthOf(stage.room(), account.id, endpoint.id)
  expect([health.attempts, health.successRate]).toEqual([130, 120 / 130])
})

test('hanging or slow receivers and long queues do not delay other endpoints', async () => {
  const account = await stage.account({ credits: 10_000 })
  const quick = Array.from({ length: 10 }, (_, n) => `/quick-${n}`)
  for (const path of ['/hang-1', '/hang-2', '/slow', ...quick]) await stage.endpoint(account, { url: stage.receiver.url(path) })
  const quickAt: number[] = []
  stage.receiver.usual = (response, { path }) => {
    if (path.startsWith('/hang')) return
    if (path === '/slow') return void setTimeout(() => response.end(), 400)
    quickAt.push(performance.now())
    response.end()
  }
  const from = performance.now()
  await stage.emit(...Array.from({ length: 12 }, () => ({})))
  const running = new AbortController()
  const work = stage.worker({ timeoutMs: 3_000 }).run(running.signal)
  await expect.poll(() => quickAt.length, { timeout: 10_000, interval: 10 }).toBe(quick.length * 12)
  // All delivered before the first hanging request timed out.
  expect(Math.max(...quickAt) - from).toBeLessThan(2_500)
  expect(stage.receiver.at('/hang-1')).toHaveLength(1)
  running.abort()
  await work
})

test('backs off from a hanging receiver, longer each time; new events do not end the back-off, a test event does', async () => {
  const account = await stage.account()
  const hanging = await stage.endpoint(account, { url: stage.receiver.url('/hang') })
  stage.receiver.usual = (response, { path }) => path !== '/hang' && response.end()
  await stage.emit({}, {}, {}, {}, {})
  const tried = async (ms: number) => {
    stage.nowMs += ms
    await stage.drain({ timeoutMs: 60, atOnce: 1 })
    return stage.receiver.at('/hang').length
  }
  expect(await tried(0)).toBe(1)
  // One slot is enough for responsive endpoints.
  await stage.endpoint(account, { url: stage.receiver.url('/other') })
  await stage.one()
  expect([await tried(9_999), stage.receiver.at('/other').length]).toEqual([1, 1])
  expect([await tried(1), await tried(19_999), await tried(1)]).toEqual([2, 2, 3])
  await testWebhook(stage.room(), stage.owner(account), hanging.id, null)
  expect(await tried(0)).toBe(4)
})

test('with few credits a hanging receiver delays other endpoints only until its attempt ends', async () => {
  const account = await stage.account({ credits: 5 })
  await stage.endpoint(account, { url: stage.receiver.url('/hang') })
  stage.receiver.usual = (response, { path }) => path !== '/hang' && response.end()
  await stage.one()
  for (const path of ['/one', '/two']) await stage.endpoint(account, { url: stage.receiver.url(path), types: ['product.added'] })
  stage.nowMs += 1
  await stage.one({ type: 'product.added' })
  // The clock doesn't advance: the waiting endpoints are woken because the other one has finished.
  await stage.drain({ timeoutMs: 1_000 })
  expect(stage.receiver.got.map(({ path }) => path)).toEqual(['/hang', expect.stringMatching(/one|two/)])
  expect(await stage.balance(account)).toBe(0)
})

test('a single slot serves all endpoints in turn', async () => {
  const account = await stage.account({ credits: 10_000 })
  const [long, short] = [
    await stage.endpoint(account, { url: stage.receiver.url('/long') }),
    await stage.endpoint(account, { url: stage.receiver.url('/short') }),
  ]
  await pauseWebhook(stage.room(), stage.owner(account), short.id)
  await stage.emit(...Array.from({ length: 40 }, () => ({})))
  await stage.pool.query(`UPDATE webhook_delivery SET state = 'delivered' WHERE endpoint_id = (SELECT id FROM webhook_endpoint WHERE public_id = $1)`, [
    short.id,
  ])
  await resumeWebhook(stage.room(), stage.owner(account), short.id)
  stage.nowMs += 1
  await testWebhook(stage.room(), stage.owner(account), short.id, null)
  stage.receiver.usual = (response) => {
    stage.nowMs += 1
    response.end()
  }
  await stage.drain({ atOnce: 1 })
  const paths = stage.receiver.got.map(({ path }) => path)
  expect(paths).toHaveLength(41)
  // The long queue was first, and went behind the short one after its first batch.
  expect(paths.indexOf('/short')).toBeLessThanOrEqual(10)
  expect((await stage.state(long)).waiting).toBe(0)
})

test('warns about a constantly failing endpoint after a day and switches it off after five, with an email each', async () => {
  const account = await stage.account({ credits: 10_000 })
  const endpoint = await stage.endpoint(account)
  stage.receiver.usual = 500
  for (let hour = 0; hour < 24; hour += 4) {
    await stage.one()
    await stage.after(4 * 60 * minuteMs)
  }
  expect(await stage.notices(account)).toEqual([])
  await stage.after(5 * 60 * minuteMs)
  expect(await stage.notices(account)).toEqual(['failing'])
  expect(await stage.state(endpoint)).toMatchObject({ state: 'active', failingSince: expect.any(Date) })
  for (let day = 0; day < 4; day++) {
    await stage.one()
    await stage.after(dayMs)
  }
  await stage.one()
  await stage.after(0)
  expect(await stage.notices(account)).toEqual(['failing', 'disabled'])
  expect(await stage.state(endpoint)).toMatchObject({ state: 'disabled', stateReason: 'failures' })
  const sent = stage.receiver.got.length
  await stage.one()
  await stage.after(dayMs)
  expect(stage.receiver.got.length).toBe(sent)
})

test('a success resets the failure count', async () => {
  const account = await stage.account({ credits: 10_000 })
  const endpoint = await stage.endpoint(account)
  for (let day = 0; day < 8; day++) {
    stage.receiver.usual = 500
    for (let n = 0; n < 4; n++) await stage.one()
    await stage.after(0)
    await stage.after(5 * minuteMs)
    stage.receiver.usual = 200
    await stage.after(dayMs)
  }
  expect(await stage.state(endpoint)).toMatchObject({ state: 'active', failingSince: null })
  expect(await stage.notices(account)).toEqual([])
})

test('sends nothing while the account is blocked or webhooks are off, and resumes afterwards', async () => {
  const account = await stage.account()
  await stage.endpoint(account)
  await stage.one()
  await blockAccount(stage.pool, account.email, null)
  expect(await stage.after(60 * minuteMs)).toBe(0)
  await unblockAccount(stage.pool, account.email)
  expect(await stage.after(5 * minuteMs)).toBe(1)
  // Also in the middle of a claimed batch.
  stage.receiver.next.push((response) => void blockAccount(stage.pool, account.email, null).then(() => response.end()))
  await stage.emit({}, {}, {})
  expect(await stage.after(0)).toBe(1)
  await unblockAccount(stage.pool, account.email)
  stage.receiver.next.push((response) => void switchWebhooks(stage.room(), account.email, false).then(() => response.end()))
  expect(await stage.after(5 * minuteMs)).toBe(1)
  expect(await stage.after(60 * minuteMs)).toBe(0)
  // While webhooks are off, new events aren't queued either.
  await stage.one()
  await switchWebhooks(stage.room(), account.email, true)
  expect(await stage.after(5 * minuteMs)).toBe(1)
})

/** Queues of endpoints: what is sent again, in which order, who waits for whom, and what becomes of a receiver that never answers well. */
import { expect, test } from 'vitest'
import { blockAccount, unblockAccount } from '#server/accounts/accounts.ts'
import { deliveriesOf, healthOf, redeliver } from '#server/webhooks/deliveries.ts'
import { pauseWebhook, resumeWebhook, switchWebhooks, testWebhook } from '#server/webhooks/endpoints.ts'
import { type Endpoint, minuteMs, WebhookStage } from './support/webhook-stage.ts'

const stage = new WebhookStage()
const dayMs = 1_440 * minuteMs

const again = ({ id, account }: Endpoint, what: Parameters<typeof redeliver>[3]) => redeliver(stage.room(), stage.owner(account), id, what)
const idsSent = () => stage.receiver.got.map(({ body }) => body.id)

/** Lets every attempt at what is due fail, to the end. */
async function failAll(): Promise<void> {
  stage.receiver.usual = 500
  for (const minutes of [0, 1, 5, 30, 120, 720]) await stage.after(minutes * minuteMs)
  stage.receiver.usual = 200
  stage.receiver.got.length = 0
}

test('everything that failed is sent again in order with the ids that it had, and charged by its first 2xx', async () => {
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

test('a span of time is sent again, and nothing before or after it', async () => {
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

test('what waits already is not queued a second time, and nobody queues for others', async () => {
  const endpoint = await stage.endpoint(await stage.account())
  stage.receiver.usual = 500
  await stage.one()
  await stage.after(0)
  const { id } = await stage.delivery(endpoint)
  await expect(again(endpoint, { kind: 'one', id })).rejects.toThrow('waiting to be sent already')
  const other = await stage.endpoint(await stage.account(), { url: stage.receiver.url('/other') })
  await expect(again(other, { kind: 'one', id })).rejects.toThrow('There is no such delivery')
  await expect(again({ ...endpoint, account: other.account }, { kind: 'failed' })).rejects.toThrow('There is no such endpoint')
})

test('deliveries are listed in pages, newest first, and by state and type', async () => {
  const account = await stage.account()
  const endpoint = await stage.endpoint(account, { types: ['rate.changed', 'product.added'] })
  stage.receiver.usual = (response, { body }) => response.writeHead(body.type === 'rate.changed' ? 200 : 500).end()
  const events = await stage.emit(...Array.from({ length: 130 }, (_, n) => ({ type: n % 13 === 0 ? ('product.added' as const) : ('rate.changed' as const) })))
  await stage.after(0)
  const walked: string[] = []
  const sizes: number[] = []
  for (let cursor: string | null = null, more = true; more; ) {
    const page = await deliveriesOf(stage.room(), account.id, endpoint.id, { state: null, type: null, cursor })
    walked.push(...page.deliveries.map(({ event }) => event))
    sizes.push(page.deliveries.length)
    cursor = page.next
    more = cursor !== null
  }
  expect(sizes).toEqual([50, 50, 30])
  expect(walked).toEqual(events.map(({ id }) => id).toReversed())
  const only = async (state: 'waiting' | 'dead' | null, type: 'product.added' | null) =>
    (await deliveriesOf(stage.room(), account.id, endpoint.id, { state, type, cursor: null })).deliveries
  expect((await only('waiting', null)).map(({ type }) => type)).toEqual(Array.from({ length: 10 }, () => 'product.added'))
  expect(await only(null, 'product.added')).toHaveLength(10)
  expect(await only('dead', null)).toEqual([])
  const health = await healthOf(stage.room(), account.id, endpoint.id)
  expect([health.attempts, health.successRate]).toEqual([130, 120 / 130])
})

test('receivers that hang, answer slowly or have long queues hold up nobody else', async () => {
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
  // All of it before a single one of the hanging posts has been given up.
  expect(Math.max(...quickAt) - from).toBeLessThan(2_500)
  expect(stage.receiver.at('/hang-1')).toHaveLength(1)
  running.abort()
  await work
})

test('a receiver that hangs gives its place back and rests, longer each time, which new events do not end, and its owner does', async () => {
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
  // One place is enough for those that answer.
  await stage.endpoint(account, { url: stage.receiver.url('/other') })
  await stage.one()
  expect([await tried(9_999), stage.receiver.at('/other').length]).toEqual([1, 1])
  expect([await tried(1), await tried(19_999), await tried(1)]).toEqual([2, 2, 3])
  await testWebhook(stage.room(), stage.owner(account), hanging.id, null)
  expect(await tried(0)).toBe(4)
})

test('with few credits a receiver that hangs holds up those beside it no longer than it takes', async () => {
  const account = await stage.account({ credits: 5 })
  await stage.endpoint(account, { url: stage.receiver.url('/hang') })
  stage.receiver.usual = (response, { path }) => path !== '/hang' && response.end()
  await stage.one()
  for (const path of ['/one', '/two']) await stage.endpoint(account, { url: stage.receiver.url(path), types: ['product.added'] })
  stage.nowMs += 1
  await stage.one({ type: 'product.added' })
  // The time stands still: who waits is looked at because the other one is done.
  await stage.drain({ timeoutMs: 1_000 })
  expect(stage.receiver.got.map(({ path }) => path)).toEqual(['/hang', expect.stringMatching(/one|two/)])
  expect(await stage.balance(account)).toBe(0)
})

test('no more places than endpoints that are served are needed: one place serves all in turns', async () => {
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
  // The long queue came first, and went behind the short one after its first share.
  expect(paths.indexOf('/short')).toBeLessThanOrEqual(10)
  expect((await stage.state(long)).waiting).toBe(0)
})

test('an endpoint with nothing but failures is warned of after a day, and switched off after five, with a mail each', async () => {
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

test('one success begins the count of failures anew', async () => {
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

test('nothing is sent for an account that is blocked or whose webhooks were switched off, and it goes on afterwards', async () => {
  const account = await stage.account()
  await stage.endpoint(account)
  await stage.one()
  await blockAccount(stage.pool, account.email, null)
  expect(await stage.after(60 * minuteMs)).toBe(0)
  await unblockAccount(stage.pool, account.email)
  expect(await stage.after(5 * minuteMs)).toBe(1)
  // In the middle of what was taken to be sent as well.
  stage.receiver.next.push((response) => void blockAccount(stage.pool, account.email, null).then(() => response.end()))
  await stage.emit({}, {}, {})
  expect(await stage.after(0)).toBe(1)
  await unblockAccount(stage.pool, account.email)
  stage.receiver.next.push((response) => void switchWebhooks(stage.room(), account.email, false).then(() => response.end()))
  expect(await stage.after(5 * minuteMs)).toBe(1)
  expect(await stage.after(60 * minuteMs)).toBe(0)
  // Off, nothing new is collected either.
  await stage.one()
  await switchWebhooks(stage.room(), account.email, true)
  expect(await stage.after(5 * minuteMs)).toBe(1)
})

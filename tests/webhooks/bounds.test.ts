/** Bounds of webhooks: how many there may be, who gets them, how often, and for how long they are kept. */
import { expect, test } from 'vitest'
import { deliveryOf, tidyDeliveries } from '../../server/webhooks/deliveries.ts'
import { createWebhook, pauseWebhook, switchWebhooks, testWebhook } from '../../server/webhooks/endpoints.ts'
import { fanOut } from '../../server/webhooks/fan-out.ts'
import { minuteMs, WebhookStage } from './support/webhook-stage.ts'

const stage = new WebhookStage()
const dayMs = 1_440 * minuteMs

test('an event is handed on once, by however many processes at once', async () => {
  const account = await stage.account()
  const endpoint = await stage.endpoint(account)
  await pauseWebhook(stage.room(), stage.owner(account), endpoint.id)
  stage.happen(...Array.from({ length: 450 }, () => ({})))
  await Promise.all(Array.from({ length: 6 }, () => fanOut(stage.pool, stage.source, () => stage.nowMs)))
  expect((await stage.state(endpoint)).waiting).toBe(450)
})

test('an account has twenty endpoints at most, also when it asks for many at once', async () => {
  const account = await stage.account()
  const asked = Array.from({ length: 25 }, (_, n) => stage.endpoint(account, { url: stage.receiver.url(`/${n}`) }))
  const settled = await Promise.allSettled(asked)
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
})

test('only Enterprise gets logos, as from the endpoints', async () => {
  for (const plan of ['business', 'enterprise'] as const) {
    await stage.endpoint(await stage.account({ plan }), { url: stage.receiver.url(`/${plan}`) })
  }
  const event = await stage.one()
  await stage.drain()
  expect(stage.receiver.at('/business')[0]?.body.data).toEqual(JSON.parse(event.data))
  expect(stage.receiver.at('/enterprise')[0]?.body.data).toEqual(JSON.parse(event.dataWithLogos))
})

test('ten test events a minute are sent, and no more', async () => {
  const account = await stage.account()
  const endpoint = await stage.endpoint(account)
  const ask = () => testWebhook(stage.room(), stage.owner(account), endpoint.id, null)
  for (let n = 0; n < 10; n++) await ask()
  await expect(ask()).rejects.toThrow('10 test events a minute can be sent.')
  stage.nowMs += minuteMs
  await ask()
})

test('a connection that its receiver closed meanwhile is not held against it', async () => {
  const endpoint = await stage.endpoint(await stage.account())
  stage.receiver.usual = (response) => {
    response.end()
    // Without a word, as servers do that keep connections for a shorter time than we do.
    setTimeout(() => response.socket?.destroy(), 1)
  }
  await stage.emit(...Array.from({ length: 20 }, () => ({})))
  await stage.drain()
  expect((await stage.deliveries(endpoint)).map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(Array.from({ length: 20 }, () => 'delivered 1'))
})

test('deliveries are forgotten after thirty days, but for what is owed', async () => {
  const account = await stage.account({ credits: 5 })
  const endpoint = await stage.endpoint(account)
  stage.receiver.next.push((response) => void stage.credit(account, -5).then(() => response.end()))
  await stage.one()
  await stage.after(0)
  await stage.credit(account, 3)
  await pauseWebhook(stage.room(), stage.owner(account), endpoint.id)
  await stage.emit({}, {})
  expect(await stage.deliveries(endpoint)).toHaveLength(3)
  stage.nowMs += 30 * dayMs + 1
  await tidyDeliveries(stage.room())
  const [left, ...rest] = await stage.deliveries(endpoint)
  expect([left?.isOwed, rest]).toEqual([true, []])
  expect((await deliveryOf(stage.room(), account.id, left?.id ?? '')).tries).toHaveLength(1)
  await stage.credit(account, 10)
  await tidyDeliveries(stage.room())
  expect(await stage.deliveries(endpoint)).toEqual([])
  expect((await stage.pool.query('SELECT FROM webhook_event v WHERE NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.event_id = v.id)')).rowCount).toBe(0)
})

test('an endpoint is made only for an account that has webhooks', async () => {
  const account = await stage.account()
  await switchWebhooks(stage.room(), account.email, false)
  const given = { url: stage.receiver.url(), types: ['rate.changed' as const], providers: [], accountTypes: [], minChangeBp: null, description: '' }
  await expect(createWebhook(stage.room(), stage.owner(account), given)).rejects.toMatchObject({ refusal: { code: 'webhooks_not_enabled' } })
})

/** Reads and redelivers deliveries of webhook endpoints with a key, on both mounts, while the worker of the same process delivers test events. */
import { afterAll, beforeAll, expect } from 'vitest'
import { switchWebhooks } from '#server/webhooks/access.ts'
import { verifies } from '../requirements/verifies.ts'
import { Receiver } from '../webhooks/support/receiver.ts'
import { type Caller, onEachMount } from './support/fixture.ts'

const settings = {
  expectedTrouble: /Development mode/,
  env: { NODE_ENV: '', PUBLIC_URL: 'http://localhost:3000', WEBHOOKS_ALLOW_PRIVATE: 'true' },
}

onEachMount((fixture) => {
  let receiver: Receiver

  beforeAll(async () => {
    receiver = await Receiver.open()
  })
  afterAll(() => receiver.close())

  const send = (caller: Caller, method: string, path: string, body?: object) =>
    fixture.send(method, path, caller.key, body ? { 'content-type': 'application/json' } : {}, body && JSON.stringify(body))

  verifies('webhooks/deliveries-by-api', async () => {
    const caller = await fixture.live({}, { scopes: ['account:manage'] })
    await switchWebhooks({ pool: fixture.pool }, caller.account.email, true)
    const { id } = (await send(caller, 'POST', '/webhooks', { url: receiver.url('/deliveries'), types: ['rate.changed'] })).body.data
    const deliveries: string[] = []
    for (let n = 0; n < 3; n++) deliveries.unshift((await send(caller, 'POST', `/webhooks/${id}/test`, { type: 'product.added' })).body.data.delivery)
    await expect.poll(() => receiver.at('/deliveries').length, { timeout: 15_000 }).toBe(3)
    const delivered = async () => (await send(caller, 'GET', '/webhook-deliveries?state=delivered')).body.data.length
    await expect.poll(delivered, { timeout: 15_000 }).toBe(3)
    const first = await send(caller, 'GET', '/webhook-deliveries?limit=2')
    const second = await send(caller, 'GET', `/webhook-deliveries?limit=2&cursor=${first.body.meta.nextCursor}`)
    expect([...first.body.data, ...second.body.data].map((row) => row.id)).toEqual(deliveries)
    expect(second.body.meta.nextCursor).toBeNull()
    expect(first.body.data[0]).toMatchObject({ webhook: id, type: 'product.added', isTest: true, attempts: 1, lastStatus: 200, creditsCharged: 0 })
    expect((await send(caller, 'GET', '/webhook-deliveries?type=rate.changed')).body.data).toEqual([])
    const details = (await send(caller, 'GET', `/webhook-deliveries/${deliveries[0]}`)).body.data
    expect(details.data).toEqual(receiver.at('/deliveries')[2]?.body.data)
    expect(details.tries).toMatchObject([{ isDelivered: true, status: 200, fault: null }])
    expect((await send(caller, 'POST', `/webhook-deliveries/${deliveries[0]}/redeliver`)).body.data).toEqual({ id: deliveries[0], state: 'waiting' })
    await expect.poll(() => receiver.at('/deliveries').length, { timeout: 15_000 }).toBe(4)
    expect(receiver.at('/deliveries')[3]?.headers['x-svc-delivery']).toBe(deliveries[0])
  })
}, settings)

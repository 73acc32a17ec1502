/** Reads the events that were sent to webhook endpoints, and examples of events, with a key. */
import { expect, test } from 'vitest'
import { eventTypes } from '#server/api/contract/webhooks.ts'
import { listEvents } from '#server/webhooks/sent-events.ts'
import { verifies } from '../requirements/verifies.ts'
import { type Caller, onEachMount } from './support/fixture.ts'
import { type StoredDelivery, storeDeliveries } from './support/stored-deliveries.ts'
import { webhookCalls } from './support/webhook-calls.ts'

onEachMount((fixture) => {
  const { manager, send, create } = webhookCalls(fixture)
  const day = Date.parse('2026-11-20T00:00:00Z')

  const store = (caller: Caller, webhook: string, all: readonly StoredDelivery[]) => storeDeliveries(fixture, caller, webhook, day, all)

  verifies('webhooks/events-by-api', 'lists sent events, newest first, and no unsent ones', async () => {
    const caller = await manager()
    const { id } = (await create(caller)).body.data
    const [first, , third, fourth] = await store(caller, id, [
      { data: { newRate: '4.25' } },
      { attempts: 0 },
      { attempts: 0, isTest: true },
      { type: 'product.added' },
    ])
    const list = await send(caller, 'GET', '/webhook-events')
    expect(list.body.data.map(({ delivery }: { delivery: string }) => delivery)).toEqual([fourth, third, first])
    expect(list.body.data[2]).toMatchObject({ type: 'rate.changed', data: { n: 0, newRate: '4.25' }, isTest: false, webhook: id })
    expect(list.body.meta.creditsCharged).toBe(0)
    const added = (await send(caller, 'GET', `/webhook-events?type=product.added&webhook=${id}`)).body.data
    expect(added.map(({ delivery }: { delivery: string }) => delivery)).toEqual([fourth])
    const tag = list.headers.get('etag') ?? ''
    expect((await fixture.send('GET', '/webhook-events', caller.key, { 'if-none-match': tag })).status).toBe(304)
    // Keys of the other mode and of other accounts see nothing.
    const test = await fixture.getKey(caller.account, { mode: 'test', scopes: ['account:manage'] })
    expect((await send(test, 'GET', '/webhook-events')).body.data).toEqual([])
    expect((await send(test, 'GET', `/webhook-events?webhook=${id}`)).status).toBe(404)
    expect((await send(await manager(), 'GET', '/webhook-events')).body.data).toEqual([])
  })

  verifies('webhooks/unpaid-events-stay-unread', async () => {
    const caller = await manager()
    const { id } = (await create(caller)).body.data
    const [, failed, free] = await store(caller, id, [{}, { isFailed: true, attempts: 3 }, { isFailed: true, isTest: true }, {}, {}])
    // A failed attempt, a redelivery after it, and the final failure: none of them was charged.
    for (const change of ["state = 'waiting'", 'round = 2, attempts = 0', "state = 'dead', settled_at = now()", "state = 'cancelled'"]) {
      await fixture.sql(`UPDATE webhook_delivery SET ${change} WHERE public_id = $1`, [failed])
      const { data } = (await send(caller, 'GET', '/webhook-events')).body
      expect(data.map(({ data: { n } }: { data: { n: number } }) => n)).toEqual([4, 3, 2, 0])
      expect((await send(caller, 'GET', `/webhook-deliveries/${failed}`)).body.data).toMatchObject({ id: failed, data: null, creditsCharged: 0 })
    }
    expect((await send(caller, 'GET', `/webhook-deliveries/${free}`)).body.data.data).toEqual({ n: 2 })
    // Delivered, but not paid for yet.
    await fixture.sql("UPDATE webhook_delivery SET state = 'delivered', delivered_at = now(), is_owed = true WHERE public_id = $1", [failed])
    expect((await send(caller, 'GET', '/webhook-events')).body.data).toHaveLength(5)
    expect((await send(caller, 'GET', `/webhook-deliveries/${failed}`)).body.data.data).toEqual({ n: 1 })
  })

  verifies('webhooks/events-by-time', async () => {
    const caller = await manager()
    const { id } = (await create(caller)).body.data
    const paused = (await create(caller, { url: 'https://receiver.example.com/paused' })).body.data.id
    const late = await store(caller, paused, [{ deliveredAt: new Date(day + 7_200_000) }, { deliveredAt: new Date(day + 7_260_000) }])
    const soon = await store(caller, id, [{}, {}, {}])
    const expected = [...late.toReversed(), ...soon.toReversed()]
    const found: string[] = []
    for (let cursor = ''; ; ) {
      const { data, meta } = (await send(caller, 'GET', `/webhook-events?limit=2${cursor}`)).body
      found.push(...data.map(({ delivery }: { delivery: string }) => delivery))
      if (found.length === 2) expect(data[0].sentAt).toBe(new Date(day + 7_260_000).toISOString())
      if (meta.nextCursor === null) break
      cursor = `&cursor=${meta.nextCursor}`
    }
    expect(found).toEqual(expected)
  })

  verifies('webhooks/events-search-continues', async () => {
    const caller = await manager()
    const { id } = (await create(caller)).body.data
    const [rare] = await store(caller, id, [{ type: 'product.added' }])
    await fixture.sql(
      `WITH v AS (INSERT INTO webhook_event (id, type, created_at, data, data_with_logos)
         SELECT 'evt_' || gen_random_uuid(), 'rate.changed', $1::timestamptz + n * interval '1 second', '{}', '{}' FROM generate_series(100, 5100) n RETURNING id, created_at)
       INSERT INTO webhook_delivery (public_id, endpoint_id, account_id, event_id, state, attempts, due_at, created_at, delivered_at, charged_at)
         SELECT 'dlv_' || replace(gen_random_uuid()::text, '-', ''), e.id, e.account_id, v.id, 'delivered', 1, v.created_at, v.created_at, v.created_at, v.created_at
         FROM v, webhook_endpoint e WHERE e.public_id = $2`,
      [new Date(day), id],
    )
    const first = (await send(caller, 'GET', '/webhook-events?type=product.added')).body
    expect(first).toMatchObject({ data: [], meta: { nextCursor: expect.any(String) } })
    const rest = (await send(caller, 'GET', `/webhook-events?type=product.added&cursor=${first.meta.nextCursor}`)).body
    expect(rest.data.map(({ delivery }: { delivery: string }) => delivery)).toEqual([rare])
    expect(rest.meta.nextCursor).toBeNull()
  })

  test("runs only one read of an account's events at a time", async () => {
    const caller = await manager()
    let [running, most] = [0, 0]
    const query = async (...args: Parameters<typeof fixture.pool.query>) => {
      most = Math.max(most, ++running)
      try {
        return await fixture.pool.query(...args)
      } finally {
        running--
      }
    }
    const pool = new Proxy(fixture.pool, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) })
    const read = () => listEvents({ pool }, { accountId: caller.account.id, mode: 'live' }, { limit: 1, after: null })
    await Promise.all([read(), read(), read(), read()])
    expect([running, most]).toEqual([0, 1])
    const results = await Promise.allSettled(Array.from({ length: 13 }, read))
    const refused = results.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(3)
    for (const one of refused) expect(one).toMatchObject({ reason: { refusal: { code: 'rate_limited', extra: { retryAfter: 1 } } } })
    await read()
  })

  verifies('webhooks/samples-by-api', async () => {
    const caller = await manager('test')
    const { data, meta } = (await send(caller, 'GET', '/webhook-samples')).body
    expect(data.map(({ type }: { type: string }) => type)).toEqual(eventTypes)
    expect(data[0].data).toMatchObject({ sourceKey: expect.any(String), newRate: expect.any(String) })
    expect(meta.creditsCharged).toBe(0)
  })

  verifies('webhooks/cursors-hide-ids', async () => {
    const caller = await manager()
    const { id } = (await create(caller)).body.data
    const made = await store(caller, id, [{}, {}, {}, { type: 'product.added' }, {}])
    const [newest, , middle] = made.toReversed()
    for (const path of ['/webhook-deliveries', '/webhook-events']) {
      const first = (await send(caller, 'GET', `${path}?limit=2&type=rate.changed`)).body
      const { nextCursor } = first.meta
      const last = await fixture.pool.webhookDelivery.findUniqueOrThrow({ where: { publicId: String(middle) }, select: { id: true } })
      expect(Buffer.from(nextCursor, 'base64url').toString('latin1')).not.toMatch(new RegExp(`(?<!\\w)${last.id}(?!\\w)`))
      const second = (await send(caller, 'GET', `${path}?limit=2&type=rate.changed&cursor=${nextCursor}`)).body
      const ids = [...first.data, ...second.data].map((row) => row.delivery ?? row.id)
      expect(ids).toEqual([newest, middle, made[1], made[0]])
    }
    const { nextCursor } = (await send(caller, 'GET', '/webhook-events?limit=1')).body.meta
    await fixture.sql('DELETE FROM webhook_delivery WHERE public_id = $1', [newest])
    const rest = (await send(caller, 'GET', `/webhook-events?cursor=${nextCursor}&limit=1`)).body
    expect(rest.data[0].delivery).toBe(made[3])
  })
})

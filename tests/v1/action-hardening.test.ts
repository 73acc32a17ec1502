/** Tests calls that change an account under hostile conditions: other keys, malformed bodies, and many calls at the same time. */
import { expect, test } from 'vitest'
import { newPublicId } from '#server/ids.ts'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { onEachMount } from './support/fixture.ts'
import { webhookCalls, webhookSettings } from './support/webhook-calls.ts'

const anAlert = { name: 'Above 4.6%', kind: 'products', filter: 'type=easy-access&minRate=4.6' } as const

onEachMount((fixture) => {
  const { manager, send, create } = webhookCalls(fixture)

  verifies('webhooks/api-idempotent', "a test key never gets the result of a live key's call with the same Idempotency-Key", async () => {
    const live = await manager()
    const own = await fixture.getKey(live.account, { mode: 'test', scopes: ['account:manage'] })
    const headers = { 'idempotency-key': 'of-both-modes' }
    const first = (await send(live, 'POST', '/webhooks', webhookSettings(), headers)).body.data
    const second = (await send(own, 'POST', '/webhooks', webhookSettings(), headers)).body.data
    expect([first.mode, second.mode, first.secret === second.secret]).toEqual(['live', 'test', false])
  })

  verifies('webhooks/deliveries-by-api', "shows a live event's data only after it has been charged", async () => {
    const caller = await manager()
    const { id } = (await create(caller)).body.data
    const [delivery, event] = [newPublicId('dlv'), `evt_${fixture.mount}_${Date.now()}`]
    await fixture.sql('INSERT INTO webhook_event (id, type, created_at, data, data_with_logos) VALUES ($1, $2, now(), $3, $3)', [
      event,
      'rate.changed',
      '{"rate":"9.99"}',
    ])
    await fixture.sql(
      `INSERT INTO webhook_delivery (public_id, endpoint_id, account_id, event_id, due_at, created_at)
       SELECT $1, id, account_id, $2, now() + interval '1 day', now() FROM webhook_endpoint WHERE public_id = $3`,
      [delivery, event, id],
    )
    const read = async () => (await send(caller, 'GET', `/webhook-deliveries/${delivery}`)).body.data.data
    expect(await read()).toBeNull()
    await fixture.sql(
      `INSERT INTO webhook_attempt (delivery_id, round, attempt, at, outcome, total_ms, endpoint_id)
       SELECT id, 1, 1, now(), 'failed', 5, endpoint_id FROM webhook_delivery WHERE public_id = $1`,
      [delivery],
    )
    // Nothing was sent if, for example, the host is unknown.
    expect(await read()).toBeNull()
    await fixture.sql("UPDATE webhook_delivery SET state = 'delivered', delivered_at = now(), charged_at = now() WHERE public_id = $1", [delivery])
    expect(await read()).toEqual({ rate: '9.99' })
  })

  test('rejects bodies that are nested too deeply or not valid Unicode', async () => {
    const caller = await manager()
    const post = (body: string) => fixture.send('POST', '/webhooks', caller.key, { 'content-type': 'application/json' }, body)
    for (const [body, message] of [
      [`{"url":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 'nested too deeply'],
      [JSON.stringify(webhookSettings()).replace('rate.changed', '\\ud800'), 'valid Unicode'],
    ] as const) {
      const answer = await post(body)
      expectError(answer, 400, 'invalid_request')
      expect(answer.body.message).toContain(message)
    }
  })

  test('creates many alerts at once without exhausting the connection pool', async () => {
    const caller = await manager()
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, at) => send(caller, 'POST', '/alerts', anAlert, { 'idempotency-key': `alert-${fixture.mount}-${at}` })),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  })

  verifies('alerts/managed-by-api', 'keeps all changes that are made concurrently', async () => {
    const caller = await manager()
    const { id } = (await send(caller, 'POST', '/alerts', anAlert)).body.data
    const changes = [{ name: 'Renamed' }, { frequency: 'daily' }, { webhook: true }, { filter: 'type=notice' }]
    const answers = await Promise.all(changes.map((change) => send(caller, 'PATCH', `/alerts/${id}`, change)))
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200))
    expect((await send(caller, 'GET', `/alerts/${id}`)).body.data).toMatchObject(Object.assign({}, ...changes))
  })
})

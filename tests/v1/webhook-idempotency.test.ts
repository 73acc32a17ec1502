import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { onEachMount } from './support/fixture.ts'
import { webhookCalls, webhookSettings } from './support/webhook-calls.ts'

onEachMount((fixture) => {
  const { manager, send, create, audited } = webhookCalls(fixture)

  verifies('webhooks/api-idempotent', async () => {
    const caller = await manager()
    const headers = { 'idempotency-key': `create-${fixture.mount}` }
    const [first, second] = [
      await send(caller, 'POST', '/webhooks', webhookSettings(), headers),
      await send(caller, 'POST', '/webhooks', webhookSettings(), headers),
    ]
    expect(second.body.data).toEqual(first.body.data)
    expect([first, second].map((answer) => answer.headers.get('x-svc-idempotent-replay'))).toEqual([null, 'true'])
    expect((await send(caller, 'GET', '/webhooks')).body.data).toHaveLength(1)
    const other = await send(caller, 'POST', '/webhooks', webhookSettings({ description: 'Other' }), headers)
    expectError(other, 400, 'invalid_request')
    expect(other.body.message).toContain('different request')
    // A rejected call releases its idempotency key.
    const freed = { 'idempotency-key': 'freed' }
    expectError(await send(caller, 'POST', '/webhooks', webhookSettings({ url: 'ftp://x' }), freed), 400, 'invalid_request')
    expect((await send(caller, 'POST', '/webhooks', webhookSettings(), freed)).status).toBe(200)
    // At the same time, only one call has an effect; the others get its result, or 429 until there is one.
    const racing = { 'idempotency-key': 'racing' }
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(caller, 'POST', '/webhooks', webhookSettings(), racing)))
    expect((await send(caller, 'GET', '/webhooks')).body.data).toHaveLength(3)
    for (const { status, headers: received } of answers) expect([status, received.has('retry-after')]).toEqual(status === 200 ? [200, false] : [429, true])
    const ids = new Set(answers.flatMap(({ status, body }) => (status === 200 ? [body.data.secret] : [])))
    expect(ids.size).toBe(1)
    expect((await send(caller, 'POST', '/webhooks', webhookSettings(), racing)).body.data.secret).toBe([...ids][0])
    // Results contain secrets, so they are stored encrypted.
    const stored = await fixture.sql<{ text: string }>("SELECT encode(answer, 'escape') AS text FROM action_replay WHERE account_id = $1", [caller.account.id])
    expect(stored.map(({ text }) => text).join()).not.toContain('whsec_')
  })

  verifies('webhooks/api-idempotent', 'keeps the results of test keys apart from those of live keys, whatever their Idempotency-Key', async () => {
    const live = await manager()
    const test = await fixture.getKey(live.account, { mode: 'test', scopes: ['account:manage'] })
    const create = async (caller: typeof live, key: string) => (await send(caller, 'POST', '/webhooks', webhookSettings(), { 'idempotency-key': key })).body
    const first = (await create(live, 'test 1')).data
    const second = (await create(test, '1')).data
    expect([first.mode, second.mode]).toEqual(['live', 'test'])
    expect(second.secret).not.toBe(first.secret)
    expect((await create(test, '1')).data).toEqual(second)
  })

  verifies('webhooks/api-replays-every-action', async () => {
    const caller = await manager()
    const { id } = (await create(caller)).body.data
    const steps: [method: string, path: string, body?: object][] = [
      ['PATCH', `/webhooks/${id}`, { description: 'Renamed' }],
      ['POST', `/webhooks/${id}/rotate-secret`],
      ['POST', `/webhooks/${id}/test`, {}],
      ['POST', `/webhooks/${id}/pause`],
      ['POST', `/webhooks/${id}/resume`],
      ['DELETE', `/webhooks/${id}`],
    ]
    for (const [at, [method, path, body]] of steps.entries()) {
      const headers = { 'idempotency-key': `step-${at}` }
      const [first, second] = [await send(caller, method, path, body, headers), await send(caller, method, path, body, headers)]
      expect([first.status, second.status, second.headers.get('x-svc-idempotent-replay')], path).toEqual([200, 200, 'true'])
      expect(second.body.data).toEqual(first.body.data)
      expect(second.headers.get('x-svc-request-id')).not.toBe(first.headers.get('x-svc-request-id'))
    }
    // Each action ran once, and each call was logged once.
    expect((await audited(caller)).map(({ action }) => action)).toEqual(
      ['create', 'update', 'rotate', 'test', 'pause', 'resume', 'delete'].map((action) => `webhook.${action}`),
    )
    const [logged] = await fixture.sql<{ calls: number }>('SELECT count(*)::int AS calls FROM request_log WHERE account_id = $1', [caller.account.id])
    expect(logged?.calls).toBe(1 + 2 * steps.length)
    // Another account can use the same key.
    const other = await manager()
    expect((await send(other, 'POST', '/webhooks', webhookSettings(), { 'idempotency-key': 'step-0' })).headers.get('x-svc-idempotent-replay')).toBeNull()
  })
})

import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { maxAlerts } from '#server/api/contract/market-alerts.ts'
import { switchWebhooks } from '#server/webhooks/access.ts'
import { verifies } from '../requirements/verifies.ts'
import { expectError } from './support/expect-error.ts'
import { type Caller, onEachMount } from './support/fixture.ts'

const anAlert = { name: 'Above 4.6%', kind: 'products', filter: 'type=easy-access&minRate=4.6' } as const

onEachMount((fixture) => {
  const manager = (plan: 'hobby' | 'business' = 'business') => fixture.live({ plan }, { scopes: ['account:manage'] })

  const send = (caller: Caller, method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    fixture.send(method, path, caller.key, { ...(body ? { 'content-type': 'application/json' } : {}), ...headers }, body && JSON.stringify(body))

  verifies('alerts/managed-by-api', async () => {
    const caller = await manager()
    const made = await send(caller, 'POST', '/alerts', anAlert)
    expect([made.status, made.body.meta.creditsCharged]).toEqual([200, 0])
    const alert = made.body.data
    expect(alert).toEqual({
      ...anAlert,
      id: expect.stringMatching(/^alr_/),
      providers: [],
      frequency: 'immediate',
      email: true,
      webhook: false,
      state: 'active',
      createdAt: expect.stringMatching(/Z$/),
      lastFoundAt: null,
    })
    expect([(await send(caller, 'GET', '/alerts')).body.data, (await send(caller, 'GET', `/alerts/${alert.id}`)).body.data]).toEqual([[alert], alert])
    const changed = await send(caller, 'PATCH', `/alerts/${alert.id}`, { frequency: 'daily', state: 'paused' })
    expect(changed.body.data).toEqual({ ...alert, frequency: 'daily', state: 'paused' })
    expect((await send(caller, 'PATCH', `/alerts/${alert.id}`, { state: 'active' })).body.data).toEqual({ ...alert, frequency: 'daily' })
    expect((await send(caller, 'DELETE', `/alerts/${alert.id}`)).body.data).toEqual({ id: alert.id, deleted: true })
    expectError(await send(caller, 'GET', `/alerts/${alert.id}`), 404, 'not_found')
    const audited = await fixture.sql("SELECT actor, action FROM audit_entry WHERE account_id = $1 AND action LIKE 'market-alert.%' ORDER BY id", [
      caller.account.id,
    ])
    expect(audited).toEqual(['create', 'update', 'pause', 'resume', 'delete'].map((action) => ({ actor: caller.keyId, action: `market-alert.${action}` })))
  })

  verifies('alerts/managed-by-api', 'rejects other accounts, keys without the scope, invalid filters and more alerts than the plan includes', async () => {
    const caller = await manager('hobby')
    const { id } = (await send(caller, 'POST', '/alerts', anAlert)).body.data
    expectError(await send(await manager(), 'PATCH', `/alerts/${id}`, { name: 'Mine' }), 404, 'not_found')
    const other = await fixture.getKey(caller.account)
    expectError(await send(other, 'POST', '/alerts', anAlert), 403, 'insufficient_scope', { required: 'account:manage' })
    const invalid = await send(caller, 'POST', '/alerts', { ...anAlert, filter: 'minRate=4&minRate=5' })
    expect([invalid.status, invalid.body.message]).toEqual([400, '"filter": "minRate" appears more than once. Use it only once.'])
    expect((await send(caller, 'PATCH', `/alerts/${id}`, { filter: 'type=easy-acess' })).body.message).toContain('Did you mean "easy-access"?')
    for (let made = 1; made < maxAlerts.hobby; made++) await send(caller, 'POST', '/alerts', anAlert)
    const tooMany = await send(caller, 'POST', '/alerts', anAlert)
    expect([tooMany.status, tooMany.body.message]).toEqual([400, `Your plan includes ${maxAlerts.hobby} alerts. Delete one first.`])
  })

  verifies('alerts/managed-by-mode', async () => {
    const live = await manager()
    const test = await fixture.getKey(live.account, { mode: 'test', scopes: ['account:manage'] })
    const { id } = (await send(live, 'POST', '/alerts', anAlert)).body.data
    const own = (await send(test, 'POST', '/alerts', { ...anAlert, name: 'Mine' })).body.data
    for (const [caller, visible, hidden] of [
      [live, id, own.id],
      [test, own.id, id],
    ] as const) {
      expect((await send(caller, 'GET', '/alerts')).body.data.map((alert: { id: string }) => alert.id)).toEqual([visible])
      expectError(await send(caller, 'GET', `/alerts/${hidden}`), 404, 'not_found')
      expectError(await send(caller, 'PATCH', `/alerts/${hidden}`, { state: 'paused' }), 404, 'not_found')
      expectError(await send(caller, 'DELETE', `/alerts/${hidden}`), 404, 'not_found')
    }
    // Providers of the live market don't exist for test keys, and the other way round.
    const readers = await Promise.all((['live', 'test'] as const).map((mode) => fixture.getKey(live.account, { mode })))
    const slugs = await Promise.all(readers.map(async ({ key }) => (await fixture.get('/reference/providers', key)).body.data[0].slug))
    const watch = (caller: Caller, provider: string) => send(caller, 'POST', '/alerts', { name: 'One', kind: 'providers', providers: [provider] })
    const [ownMarket, otherMarket] = [await watch(test, slugs[1]), await watch(test, slugs[0])]
    expect([ownMarket.status, otherMarket.status]).toEqual([200, 400])
  })

  verifies('alerts/managed-by-api', 'names the fields of the API in errors', async () => {
    const caller = await manager()
    const { status, body } = await send(caller, 'POST', '/alerts', { ...anAlert, email: false })
    expect([status, body.message]).toEqual([400, '"email": Choose email, webhook or both.'])
  })

  verifies('alerts/changes-limited', async () => {
    const caller = await manager()
    const count = (name: string, used: number) =>
      fixture.pool.throttle.create({
        data: { bucket: createHash('sha256').update(`${name}\0${caller.account.id}`).digest(), used, endsAt: new Date(Date.now() + 3_600_000) },
      })
    await count('alert changes', 299)
    const { id } = (await send(caller, 'POST', '/alerts', anAlert)).body.data
    const refused = await send(caller, 'DELETE', `/alerts/${id}`)
    const limited = { retryAfter: expect.any(Number) }
    expectError(refused, 429, 'rate_limited', limited)
    expect(refused.body.retryAfter).toBeGreaterThan(3_000)
    expectError(await send(caller, 'PATCH', `/alerts/${id}`, { name: 'New' }, { 'idempotency-key': 'over-the-limit' }), 429, 'rate_limited', limited)
    expect((await send(caller, 'GET', `/alerts/${id}`)).body.data.name).toBe(anAlert.name)
    await switchWebhooks({ pool: fixture.pool }, caller.account.email, true)
    await count('webhooks created', 60)
    expectError(await send(caller, 'POST', '/webhooks', { url: 'https://receiver.example.com/hook', types: ['rate.changed'] }), 429, 'rate_limited', limited)
  })

  verifies('alerts/managed-by-api', 'creates one alert for two calls with the same Idempotency-Key', async () => {
    const caller = await manager()
    const headers = { 'idempotency-key': 'the-same-alert' }
    const [first, second] = [await send(caller, 'POST', '/alerts', anAlert, headers), await send(caller, 'POST', '/alerts', anAlert, headers)]
    expect(second.body.data).toEqual(first.body.data)
    expect((await send(caller, 'GET', '/alerts')).body.data).toHaveLength(1)
  })
})

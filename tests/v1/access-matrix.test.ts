import { beforeAll, describe, expect, test } from 'vitest'
import type { Plan } from '#server/api/contract/access.ts'
import { describeScope, type Scope, scopeNames } from '#server/api/contract/access.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { newKey } from '#server/keys/key-secret.ts'
import { cites } from '../requirements/verifies.ts'
import { getFaults } from './support/declared-shape.ts'
import { expectError } from './support/expect-error.ts'
import { type Caller, onEachMount } from './support/fixture.ts'
import { inOneMinute, minuteUsed, setMinuteUsed } from './support/operator.ts'
import { type Dataset, type Entry, getCost, getTarget, isLaunched } from './support/target.ts'

// For the endpoint that lists two scopes, either one grants access.
cites('market/fx-rates-either-scope')

/**
 * Tests the access rules of every endpoint in the registry. New endpoints are covered automatically. The values that the specification requires are in
 * catalogue.test.ts.
 */

const has = (entry: Entry, scope: Scope) => (typeof entry.scope === 'string' ? entry.scope === scope : entry.scope.includes(scope))

/** Returns all scopes except those that grant access to the endpoint. */
const scopesWithout = (entry: Entry): Scope[] => scopeNames.filter((scope) => !has(entry, scope))

const isListed = (entry: Entry) => entry.live === 'coming-soon'

/** Returns the schema violations of each row of a response. An empty list is reported as a violation, because it would prove nothing. */
function faultsIn(entry: Entry, data: unknown): string[] {
  const rows = Array.isArray(data) ? data : [data]
  return rows.length === 0 ? ['no rows'] : rows.flatMap((row) => getFaults(row, entry.output))
}

type Refused = readonly [status: number, code: string, extra?: Record<string, unknown>]

/** Returns the expected error code for a live key with all scopes; null if the call succeeds. */
function refusalForLive(entry: Entry, plan: Plan): Refused | null {
  if (isListed(entry)) return [404, 'not_found']
  if (entry.live === 'test-only') return [403, 'endpoint_restricted']
  if (entry.plan === 'enterprise' && plan !== 'enterprise') return [403, 'plan_upgrade_required', { requiredPlan: 'enterprise' }]
  return isLaunched(entry) ? null : [404, 'not_found']
}

onEachMount((fixture) => {
  let owner: Caller

  beforeAll(async () => {
    owner = await fixture.live({ plan: 'enterprise', credits: 100_000, perMinute: 100_000, perDay: 1_000_000 })
  })

  describe.each(registry.map((entry) => [`${entry.method} ${entry.path}`, entry] as const))('%s', (_name, entry) => {
    const send = async (key: string | null, headers: Record<string, string> = {}, dataset: Dataset = 'live') =>
      fixture.send(entry.method, await getTarget(fixture, entry, dataset), key, headers)

    test('returns 401 without a key', async () => expectError(await send(null), 401, 'missing_api_key', {}, false))

    test('returns 401 for an unknown key', async () => expectError(await send(newKey('live')), 401, 'invalid_api_key', {}, false))

    test('checks the scope of a live key', async () => {
      const { key } = await fixture.getKey(owner.account, { scopes: scopesWithout(entry) })
      const answer = await send(key)
      if (isListed(entry)) expectError(answer, 404, 'not_found')
      else if (entry.live === 'test-only') expectError(answer, 403, 'endpoint_restricted')
      else if (entry.scope === 'any-key') expect(answer.status).toBe(200)
      else expectError(answer, 403, 'insufficient_scope', { required: describeScope(entry.scope) })
    })

    test('checks the scope of a test key', async () => {
      const { key } = await fixture.getKey(owner.account, { mode: 'test', scopes: scopesWithout(entry) })
      const answer = await send(key, {}, 'sample')
      if (isListed(entry)) expectError(answer, 404, 'not_found')
      else if (entry.scope === 'any-key') expect(answer.status).toBe(200)
      else expectError(answer, 403, 'insufficient_scope', { required: describeScope(entry.scope) })
    })

    test('accepts a key with any one of its scopes', async () => {
      const wanted = scopeNames.filter((scope) => has(entry, scope))
      for (const scope of wanted) {
        const { key } = await fixture.getKey(owner.account, { mode: 'test', scopes: [scope] })
        const answer = await send(key, {}, 'sample')
        expect([scope, answer.status]).toEqual([scope, isLaunched(entry) ? 200 : 404])
      }
      expect(wanted.length > 0 || entry.scope === 'any-key').toBe(true)
    })

    test.each(['hobby', 'business', 'enterprise'] as const)(
      "enforces the endpoint's availability and minimum plan for a live key with all scopes on the %s plan",
      async (plan) => {
        const { key, account } = await fixture.live({ plan })
        const answer = await send(key)
        const refused = refusalForLive(entry, plan)
        if (refused) expectError(answer, ...refused)
        else expect([answer.status, answer.body.meta.sample]).toEqual([200, false])
        if (answer.status !== 200) expect(await fixture.balance(account)).toBe(100)
      },
    )

    test('accepts a test key with all scopes once launched', async () => {
      const { key, account } = await fixture.test({ credits: 7 })
      const answer = await send(key, {}, 'sample')
      if (!isLaunched(entry)) expectError(answer, 404, 'not_found')
      else
        expect([answer.status, answer.body.meta.sample, answer.body.meta.creditsCharged, answer.headers.get('x-svc-limit-reduced')]).toEqual([
          200,
          true,
          0,
          null,
        ])
      expect(await fixture.balance(account)).toBe(7)
    })

    test('matches its declared schema, without extra fields', async () => {
      if (!isLaunched(entry)) return
      const { key } = await fixture.test()
      const answers = [await send(key, {}, 'sample'), ...(entry.live === 'open' ? [await send(owner.key)] : [])]
      for (const { body } of answers) expect(faultsIn(entry, body.data)).toEqual([])
    })

    // The remaining tests apply only to endpoints that accept live keys.
    if (!isLaunched(entry) || entry.live !== 'open') return

    test('charges its fixed price or its price per row', async () => {
      const { key, account } = await fixture.live({ credits: 1_000 })
      const { status, body, headers } = await send(key)
      expect(status).toBe(200)
      const cost = getCost(entry, body.data)
      expect([body.meta.creditsCharged, body.meta.creditsBalance, headers.get('x-svc-credits-charged')]).toEqual([cost, 1_000 - cost, String(cost)])
      expect(await fixture.balance(account)).toBe(1_000 - cost)
      const log = await fixture.sql('SELECT credits, units, endpoint, status FROM request_log WHERE account_id = $1', [account.id])
      expect(headers.get('x-svc-limit-reduced')).toBeNull()
      const units = entry.price.per === 'row' ? body.data.length : 1
      expect(log).toEqual([{ credits: cost, units, endpoint: entry.no, status: 200 }])
    })

    test('returns 402 at balance 0 unless the endpoint is free', async () => {
      const { key } = await fixture.live({ credits: 0 })
      const answer = await send(key)
      if (entry.price.credits === 0) expect(answer.status).toBe(200)
      else expectError(answer, 402, 'insufficient_credits', { required: entry.price.credits, balance: 0, topUp: expect.any(String) })
    })

    test('returns a free 304 for its ETag, even at balance 0', async () => {
      // Responses that describe the caller or the call differ every time, so they have no stable ETag.
      if (!entry.shared) return
      const first = await send(owner.key)
      const poor = await fixture.live({ credits: 0 })
      const again = await send(poor.key, { 'if-none-match': first.headers.get('etag') ?? '' })
      expect([again.status, again.text, again.headers.get('x-svc-credits-charged')]).toEqual([304, '', '0'])
    })

    test(
      'counts towards the minute limit and rejects calls above it',
      inOneMinute(async () => {
        const caller = await fixture.live({ credits: 1_000, perMinute: 4 })
        const answer = await send(caller.key)
        expect([answer.status, answer.headers.get('x-ratelimit-limit'), answer.headers.get('x-ratelimit-remaining')]).toEqual([200, '4', '3'])
        expect(await minuteUsed(fixture, caller)).toBe(1)
        await setMinuteUsed(fixture, caller.keyId, 4)
        expectError(await send(caller.key), 429, 'rate_limited', { retryAfter: expect.any(Number) })
      }),
    )

    test('rejects an unknown parameter', async () => {
      const answer = await fixture.send(entry.method, await getTarget(fixture, entry, 'live', 'nonsense=1'), owner.key)
      expectError(answer, 400, 'invalid_request')
      expect(answer.body.message).toContain('"nonsense"')
    })
  })

  test('the registry has 39 endpoints with unique numbers, ids and tools', () => {
    expect(registry).toHaveLength(39)
    for (const name of ['id', 'no', 'tool'] as const) expect(new Set(registry.map((entry) => entry[name])).size, name).toBe(39)
  })
})

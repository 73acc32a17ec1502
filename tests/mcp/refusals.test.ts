import { beforeAll, describe, expect, test } from 'vitest'
import { registry } from '#server/api/endpoints/registry.ts'
import { type Caller, onEachMount } from '../v1/support/fixture.ts'
import { keyChanged, setDayUsed, setMinuteUsed, withNewLicence } from '../v1/support/operator.ts'
import type { Entry } from '../v1/support/target.ts'
import { callTool, modernRequest, post, toolCall } from './support/ask.ts'
import { compare, compareNotes, getLog, openOwner } from './support/compare.ts'

onEachMount((fixture) => {
  let owner: Caller

  beforeAll(async () => {
    ;({ owner } = await openOwner(fixture))
  })

  describe('free results with the HTTP error body', () => {
    async function refused(caller: Caller, name: string, target: string, code: string, extra: object = {}) {
      const entry = registry.find(({ tool }) => tool === name) as Entry
      const { http, tool } = await compare(fixture, entry, target, caller)
      expect(tool.inside).toEqual({
        error: code,
        message: expect.any(String),
        requestId: expect.any(String),
        docs: `https://api.example.test/docs/errors/${code}`,
        ...extra,
      })
      expect(tool.result).toEqual({ content: [{ type: 'text', text: tool.text }], isError: true })
      expect([http.body.error, http.body.message.replace(/\d+ seconds/, '')]).toEqual([code, tool.inside.message.replace(/\d+ seconds/, '')])
      expect(tool.answer.headers.get('x-svc-credits-charged')).toBe('0')
    }

    test('rejects an unknown item', () => refused(owner, 'rates_get', '/rates/none', 'not_found'))

    test('rejects an invalid parameter', () => refused(owner, 'rates', '/rates?type=none', 'invalid_request'))

    test('rejects a paid call at a balance of 0', async () =>
      refused(await fixture.live({ credits: 0 }), 'rates', '/rates', 'insufficient_credits', { required: 1, balance: 0, topUp: expect.any(String) }))

    test('rejects a key without the required scope', async () =>
      refused(await fixture.getKey(owner.account, { scopes: ['market:read'] }), 'rates', '/rates', 'insufficient_scope', { required: 'rates:read' }))

    test('rejects an endpoint that the plan does not include', async () =>
      refused(await fixture.live({ plan: 'hobby' }), 'history', '/history', 'plan_upgrade_required', { requiredPlan: 'enterprise' }))

    test('rejects a live key on a test-only endpoint', () => refused(owner, 'cards_rewards', '/cards/rewards', 'endpoint_restricted'))

    test('rejects an endpoint that is not launched', () => refused(owner, 'assistant', '/assistant', 'not_found'))

    test('rejects an address outside the allow-list', async () =>
      refused(await fixture.live({}, { addresses: ['203.0.113.0/24'] }), 'ping', '/ping', 'ip_not_allowed'))

    test('rejects a live key of an account in review', async () =>
      refused(await fixture.live({ approved: false }), 'ping', '/ping', 'account_blocked', { reason: 'review_pending' }))

    test('rejects a revoked key', async () => {
      const caller = await fixture.test()
      await fixture.sql('UPDATE api_key SET revoked_at = now() WHERE public_id = $1', [caller.keyId])
      await keyChanged(fixture, caller.keyId)
      await refused(caller, 'ping', '/ping', 'key_revoked')
    })

    test('rejects calls until the current licence is accepted', async () => {
      await withNewLicence(fixture, -10, () => refused(owner, 'ping', '/ping', 'licence_reacceptance_required'))
    })

    test('rejects a call over the minute or day limit', async () => {
      const caller = await fixture.live({ perMinute: 1_000, perDay: 5_000 })
      await setDayUsed(fixture, caller.account, 5_000)
      await refused(caller, 'ping', '/ping', 'rate_limited', { retryAfter: expect.any(Number) })
      const other = await fixture.live({ perMinute: 1_000 })
      // Both calls are over the limit, even if the minute changes in between.
      const limit = async () => setMinuteUsed(fixture, other.keyId, 1_000_000)
      await limit()
      const { inside } = await callTool(fixture, other.key, 'ping')
      expect(inside).toMatchObject({ error: 'rate_limited', retryAfter: expect.any(Number) })
    })

    test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])('rejects an argument named %s', async (name) => {
      const caller = await fixture.live()
      // The message is JSON text, because __proto__ in an object literal would set the prototype.
      const given = (at: number) => `{"name":"rates","arguments":{"limit":1,${JSON.stringify(name)}:${['1', '{"limit":2}', '[1]'][at]}}`
      const message = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`
      const { headers, body } = modernRequest('tools/call', { name: 'rates' })
      const meta = JSON.stringify((body.params as { _meta: object })._meta)
      for (const at of [0, 1, 2]) {
        for (const [sent, more] of [
          [message(`${given(at)}}`), {}],
          [`[${message(`${given(at)}}`)}]`, {}],
          [message(`${given(at)},"task":{}}`), {}],
          [message(`${given(at)},"_meta":${meta}}`), headers],
        ] as const) {
          const answer = await post(fixture, sent, caller.key, more)
          const { result } = Array.isArray(answer.body) ? answer.body[0] : answer.body
          expect([sent, result]).toEqual([sent, expect.objectContaining({ isError: true })])
          expect(JSON.parse(result.content[0].text)).toMatchObject({
            error: 'invalid_request',
            message: expect.stringContaining(`Unknown parameter "${name}".`),
          })
        }
      }
      expect(await fixture.balance(caller.account)).toBe(100)
    })
  })

  test('stores the request parameters and message of each rejection', async () => {
    expect(await compareNotes(fixture)).toBeGreaterThan(10)
  })

  test('returns a protocol error for an unknown tool, without a charge or a log row', async () => {
    const caller = await fixture.live()
    for (const name of ['rate', 'Rates', '', '__proto__', 'constructor', 'x'.repeat(1_000)]) {
      const { answer } = await callTool(fixture, caller.key, name)
      expect([answer.status, answer.body.error.code, answer.body.result]).toEqual([200, -32602, undefined])
    }
    expect((await callTool(fixture, caller.key, 'rate')).answer.body.error.message).toBe('Unknown tool "rate". Did you mean "rates"?')
    expect(await getLog(fixture, caller, 9)).toEqual([])
  })

  test.each([
    ['no name', {}],
    ['an invalid name', { name: 5 }],
    ['arguments that are a list', { name: 'ping', arguments: [] }],
    ['arguments that are a string', { name: 'ping', arguments: 'x' }],
  ])('returns -32602 for %s, without a charge', async (_what, params) => {
    const caller = await fixture.live()
    const answer = await post(fixture, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, caller.key)
    expect([answer.status, answer.body.error.code]).toEqual([200, -32602])
    expect(await getLog(fixture, caller, 9)).toEqual([])
  })

  describe('spending', () => {
    test('truncates a list to the rows that the balance covers', async () => {
      const { key } = await fixture.live({ credits: 3 })
      const { inside, answer } = await callTool(fixture, key, 'rates', { limit: 10 })
      expect([inside.data.length, inside.meta.creditsCharged, inside.meta.creditsBalance, answer.headers.get('x-svc-limit-reduced')]).toEqual([3, 3, 0, '3'])
    })

    test('applies X-SVC-Max-Credits and Idempotency-Key to tool calls', async () => {
      const { key, account } = await fixture.live({ credits: 100 })
      const cut = await callTool(fixture, key, 'rates', { limit: 10 }, { 'x-svc-max-credits': '4' })
      expect(cut.inside.meta).toMatchObject({ limit: 4, creditsCharged: 4 })
      const once = { 'idempotency-key': 'once' }
      expect((await callTool(fixture, key, 'rates', { limit: 2 }, once)).inside.meta.creditsCharged).toBe(2)
      const again = await callTool(fixture, key, 'rates', { limit: 2 }, once)
      expect([again.inside.meta.creditsCharged, again.answer.headers.get('x-svc-idempotent-replay')]).toEqual([0, 'true'])
      expect((await fixture.get('/rates?limit=2', key, once)).body.meta.creditsCharged).toBe(0)
      expect((await callTool(fixture, key, 'rates', { limit: 3 }, once)).inside.error).toBe('invalid_request')
      expect(await fixture.balance(account)).toBe(94)
    })

    test('charges a repeated batch with an Idempotency-Key only once', async () => {
      const { key, account } = await fixture.live({ credits: 100 })
      const send = () => post(fixture, [toolCall('rates', { limit: 2 }, 1), toolCall('rates', { limit: 3 }, 2)], key, { 'idempotency-key': 'once' })
      for (const { body } of [await send(), await send()])
        expect(body.map((one: { result: { isError?: boolean } }) => one.result.isError ?? false)).toEqual([false, false])
      expect(await fixture.balance(account)).toBe(95)
    })

    test.each([1, 253, 254, 255])('replays a batch with an Idempotency-Key of %i characters', async (length) => {
      const { key, account } = await fixture.live({ credits: 100 })
      const send = (last: string) =>
        post(fixture, [toolCall('rates', { limit: 2 }, 1), toolCall('rates', { limit: 3 }, 2)], key, { 'idempotency-key': 'k'.repeat(length - 1) + last })
      type Result = { result: { structuredContent?: { meta: { creditsCharged: number } } } }
      const charged = async (last: string) => (await send(last)).body.map(({ result }: Result) => result.structuredContent?.meta.creditsCharged)
      expect([await charged('a'), await charged('a'), await charged('b')]).toEqual([
        [2, 3],
        [0, 0],
        [2, 3],
      ])
      expect(await fixture.balance(account)).toBe(90)
    })

    test.each(['k'.repeat(256), 'k'.repeat(1_000)])('rejects an invalid Idempotency-Key in a batch', async (idempotency) => {
      const { key, account } = await fixture.live({ credits: 100 })
      const { body } = await post(fixture, [toolCall('rates', { limit: 2 }, 1)], key, { 'idempotency-key': idempotency })
      expect(body[0].result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('"Idempotency-Key\\"') }] })
      expect(await fixture.balance(account)).toBe(100)
    })

    test('ignores If-None-Match', async () => {
      const { headers } = await fixture.get('/rates?limit=2', owner.key)
      const { inside } = await callTool(fixture, owner.key, 'rates', { limit: 2 }, { 'if-none-match': headers.get('etag') ?? '' })
      expect(inside.data).toHaveLength(2)
    })

    test('charges each call of a batch until the balance is spent', async () => {
      const { key, account } = await fixture.live({ credits: 3 })
      const answer = await post(
        fixture,
        [toolCall('rates', { limit: 2 }, 1), toolCall('rates', { limit: 2 }, 2), toolCall('rates', { limit: 2 }, 3), toolCall('none', {}, 4)],
        key,
      )
      const charged = answer.body
        .slice(0, 3)
        .map(({ result }: { result: { structuredContent?: { meta: { creditsCharged: number } } } }) => result.structuredContent?.meta.creditsCharged ?? 0)
      expect(charged.toSorted()).toEqual([0, 1, 2])
      expect(answer.body.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3, 4])
      expect(answer.body[3].error.code).toBe(-32602)
      expect(await fixture.balance(account)).toBe(0)
      expect(answer.headers.get('x-svc-credits-charged')).toBeNull()
    })
  })
})

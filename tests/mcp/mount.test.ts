import { beforeAll, expect, test } from 'vitest'
import { newKey } from '#server/keys/key-secret.ts'
import { expectError } from '../v1/support/expect-error.ts'
import { type ApiAnswer, type Caller, onEachMount } from '../v1/support/fixture.ts'
import { inOneMinute } from '../v1/support/operator.ts'
import { modernRequest, post, request, toolCall } from './support/ask.ts'

const error = (code: number, message: unknown = expect.any(String), id: unknown = null) => ({ jsonrpc: '2.0', error: { code, message }, id })

const metadata = 'resource_metadata="https://api.example.test/.well-known/oauth-protected-resource/mcp"'

onEachMount((fixture) => {
  let owner: Caller

  beforeAll(async () => {
    owner = await fixture.test()
  })

  const logged = () => fixture.sql('SELECT 1 FROM request_log')

  const initialize = request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } })

  test.each([
    ['a call', toolCall('ping')],
    ['initialize', initialize],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['invalid JSON', '{'],
    ['an oversized body', 'x'.repeat(70_000)],
  ])('returns 401 for %s without a valid key, as over HTTP', async (_name, body) => {
    const none = await post(fixture, body, null)
    expectError(none, 401, 'missing_api_key', {}, false)
    expect(none.headers.get('www-authenticate')).toBe(`Bearer realm="svc", ${metadata}`)
    const unknown = await post(fixture, body, newKey('live'))
    expectError(unknown, 401, 'invalid_api_key', {}, false)
    expect(unknown.headers.get('www-authenticate')).toBe(`Bearer realm="svc", error="invalid_token", ${metadata}`)
  })

  test('ignores keys in the URL and in other headers', async () => {
    const answer = await fixture.raw('POST', `/mcp?api_key=${owner.key}`, { 'x-api-key': owner.key, 'content-type': 'application/json' })
    expectError(answer, 401, 'missing_api_key', {}, false)
  })

  test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])('rejects %s, with and without a key', async (method) => {
    for (const headers of [{}, { authorization: `Bearer ${owner.key}`, accept: 'text/event-stream' }]) {
      const answer = await fixture.raw(method, '/mcp', headers)
      expect([answer.status, answer.headers.get('allow'), answer.body]).toEqual([405, 'POST', error(-32000)])
    }
  })

  test.each([
    ['evil.example.com', 403],
    ['api.example.test.evil.com', 403],
    ['api.example.test.', 403],
    ['api.example.test', 200],
    ['API.EXAMPLE.TEST:443', 200],
    ['localhost:3000', 200],
    ['127.0.0.1', 200],
    ['[::1]:3000', 200],
    ['gateway:3000', 200],
    ['10.0.0.7:3000', 200],
  ])('Host "%s" returns %i', async (host, status) => {
    const answer = await fixture.raw(
      'POST',
      '/mcp',
      { host, authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' },
      JSON.stringify(request('ping')),
    )
    expect([answer.status, answer.body]).toEqual(status === 200 ? [200, { jsonrpc: '2.0', id: 1, result: {} }] : [403, error(-32000)])
  })

  test.each([
    ['https://evil.example.com', 403],
    ['http://evil.localhost.example', 403],
    ['null', 403],
    ['file://', 403],
    ['moz-extension://api.example.test', 403],
    ['https://api.example.test', 200],
    ['http://localhost:6274', 200],
    ['http://127.0.0.1:8080', 200],
  ])('Origin "%s" returns %i', async (origin, status) => {
    const answer = await post(fixture, request('ping'), owner.key, { origin })
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.body).toEqual(error(-32000))
  })

  test.each([
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
    ['Application/JSON', 200],
    ['application/x-www-form-urlencoded', 200],
    ['text/plain', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/json-patch+json', 415],
  ])('Content-Type %s returns %i', async (type, status) => {
    expect((await post(fixture, request('ping'), owner.key, { 'content-type': type })).status).toBe(status)
  })

  test.each(['application/json', 'text/event-stream', 'application/json, text/event-stream', '*/*', 'text/html'])(
    'returns JSON for Accept: %s',
    async (accept) => {
      for (const { body, headers } of [{ body: request('ping'), headers: {} }, modernRequest('server/discover')]) {
        const answer = await post(fixture, body, owner.key, { accept, ...headers })
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
      }
    },
  )

  test('limits the size of bodies, with and without Content-Length', async () => {
    const long = JSON.stringify(request('ping', { padding: 'x'.repeat(65_536) }))
    const said = await post(fixture, long, owner.key)
    expect([said.status, said.body]).toEqual([413, error(-32000)])
    const chunks = new ReadableStream({
      start(controller) {
        for (let at = 0; at < long.length; at += 8_192) controller.enqueue(new TextEncoder().encode(long.slice(at, at + 8_192)))
        controller.close()
      },
    })
    const init = {
      method: 'POST',
      body: chunks,
      duplex: 'half' as const,
      headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' },
    }
    const unsaid = await fetch(`${fixture.service.origin}/mcp`, init)
    expect([unsaid.status, await unsaid.json()]).toEqual([413, error(-32000)])
    expect((await post(fixture, request('ping', { padding: 'x'.repeat(65_000) }), owner.key)).status).toBe(200)
  })

  test('limits the size of headers', async () => {
    const answer = await post(fixture, request('ping'), owner.key, { 'x-long': 'x'.repeat(20_000) })
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
  })

  test('rejects a revoked key for every method, and a live key of an account in review', async () => {
    const revoked = await fixture.test()
    await fixture.sql('UPDATE api_key SET revoked_at = now() WHERE public_id = $1', [revoked.keyId])
    await fixture.sql('UPDATE key_meter m SET version = m.version + 1 FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1', [revoked.keyId])
    for (const body of [initialize, request('tools/list'), { jsonrpc: '2.0', method: 'notifications/initialized' }]) {
      const answer = await post(fixture, body, revoked.key)
      // MCP clients ask the user for a new key only after 401.
      expect([answer.status, answer.body.error]).toEqual([401, 'key_revoked'])
      expect(answer.headers.get('www-authenticate')).toMatch(/error="invalid_token", resource_metadata="https?:/)
    }
    const waiting = await fixture.live({ approved: false })
    const answer = await post(fixture, request('tools/list'), waiting.key)
    expect([answer.status, answer.body]).toEqual([403, expect.objectContaining({ error: 'account_blocked', reason: 'review_pending' })])
  })

  const inPeace = inOneMinute(async () => {
    const before = (await logged()).length
    const { key, keyId, account } = await fixture.live({ perMinute: 1 })
    for (let i = 0; i < 30; i++) expect((await post(fixture, request('tools/list', {}, i), key)).status).toBe(200)
    expect((await logged()).length).toBe(before)
    expect(await fixture.balance(account)).toBe(100)
    expect(await fixture.sql('SELECT minute_used FROM key_meter m JOIN api_key k ON k.id = m.key_id WHERE k.public_id = $1', [keyId])).toEqual([
      { minute_used: 0 },
    ])
    const ask = () => post(fixture, { jsonrpc: '2.0', method: 'notifications/initialized' }, key)
    const over: ApiAnswer[] = []
    for (let asked = 30; asked <= 600; asked += 30) {
      const wave = await Promise.all(Array.from({ length: 30 }, ask))
      over.push(...wave.filter(({ status }) => status !== 202))
    }
    expect(over).toHaveLength(30)
    for (const answer of over) expect([answer.status, answer.body.error, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, 'rate_limited', true])
  }, 15)

  test('does not charge, log or count metadata requests, but limits them separately', { timeout: 60_000 }, inPeace)
})

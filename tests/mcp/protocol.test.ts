import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { type Caller, onEachMount } from '../v1/support/fixture.ts'
import { modern, modernRequest, post, request } from './support/ask.ts'

/** Versions with `initialize`, newest first. The last one is supported for old clients but not offered. */
const former = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

test.each(['content/guides/tools.md', 'README.md'])('%s lists exactly the offered protocol versions', (file) => {
  const [, words = ''] = /(?:\| Versions +\||stateless and supports) ([^|.]+)/.exec(readFileSync(file, 'utf8')) ?? []
  expect(words.match(/\d{4}-\d\d-\d\d/g)).toEqual([modern, ...former.slice(0, -1)])
})

const error = (code: number, message: unknown = expect.any(String), id: unknown = null) => ({ jsonrpc: '2.0', error: { code, message }, id })

onEachMount((fixture) => {
  let owner: Caller

  beforeAll(async () => {
    owner = await fixture.test()
  })

  const logged = () => fixture.sql('SELECT 1 FROM request_log')

  test.each(former)('negotiates %s at initialize', async (protocolVersion) => {
    const answer = await post(fixture, request('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } }), owner.key)
    expect(answer.status).toBe(200)
    expect(answer.body.result).toMatchObject({
      protocolVersion,
      capabilities: { tools: {}, resources: {}, prompts: {} },
      serverInfo: { name: 'savings-rates-data-api', title: 'Savings Rates Data API', websiteUrl: 'https://api.example.test' },
      instructions: expect.stringContaining('credits'),
    })
    expect(answer.headers.get('mcp-session-id')).toBeNull()
    expect((await post(fixture, { jsonrpc: '2.0', method: 'notifications/initialized' }, owner.key, { 'mcp-protocol-version': protocolVersion })).status).toBe(
      202,
    )
    expect((await post(fixture, request('ping'), owner.key, { 'mcp-protocol-version': protocolVersion })).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  test('for an unknown version, initialize offers the newest version that supports it', async () => {
    const answer = await post(
      fixture,
      request('initialize', { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: { name: 'test', version: '1' } }),
      owner.key,
    )
    expect(answer.body.result.protocolVersion).toBe('2025-11-25')
  })

  test('rejects an unknown version in the header, with the request id if there is one', async () => {
    const messages: [object, unknown][] = [
      [request('ping', {}, 7), 7],
      [request('tools/call', { name: 'ping' }, 'a'), 'a'],
      [{ jsonrpc: '2.0', method: 'notifications/initialized' }, null],
      [[request('ping')], null],
    ]
    for (const [message, id] of messages) {
      const answer = await post(fixture, message, owner.key, { 'mcp-protocol-version': '1999-01-01' })
      expect([answer.status, answer.body]).toEqual([400, error(-32000, expect.any(String), id)])
    }
  })

  test('server/discover returns 2026-07-28', async () => {
    const { body, headers } = modernRequest('server/discover')
    const answer = await post(fixture, body, owner.key, headers)
    expect(answer.status).toBe(200)
    expect(answer.body.result).toEqual({
      resultType: 'complete',
      supportedVersions: [modern],
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: expect.any(String),
      ttlMs: 3_600_000,
      cacheScope: 'public',
      _meta: { 'io.modelcontextprotocol/serverInfo': expect.objectContaining({ name: 'savings-rates-data-api' }) },
    })
  })

  test('sends a cache lifetime and scope in 2026-07-28 responses', async () => {
    const cached: [string, object, number, string][] = [
      ['tools/list', {}, 60_000, 'private'],
      ['resources/list', {}, 3_600_000, 'public'],
      ['resources/templates/list', {}, 3_600_000, 'public'],
      ['resources/read', { uri: 'svc://docs/index' }, 60_000, 'public'],
      ['prompts/list', {}, 3_600_000, 'public'],
    ]
    for (const [method, params, ttlMs, cacheScope] of cached) {
      const { body, headers } = modernRequest(method, params)
      const answer = await post(fixture, body, owner.key, headers)
      expect([method, answer.body.result.ttlMs, answer.body.result.cacheScope]).toEqual([method, ttlMs, cacheScope])
    }
  })

  test.each([
    ['a different name in the header', { 'mcp-name': 'rates' }],
    ['a different method in the header', { 'mcp-method': 'tools/list' }],
    ['a different version in the header', { 'mcp-protocol-version': '2025-11-25' }],
    ['no method in the headers', { 'mcp-method': '' }],
  ])('rejects a 2026-07-28 call with %s', async (_name, wrong) => {
    const before = (await logged()).length
    const { body, headers } = modernRequest('tools/call', { name: 'ping', arguments: {} })
    const answer = await post(fixture, body, owner.key, { ...headers, ...wrong })
    expect([answer.status, answer.body.error.code, answer.body.id]).toEqual([400, -32020, 1])
    expect((await logged()).length).toBe(before)
  })

  test('returns the supported versions for a future version', async () => {
    const { body, headers } = modernRequest('tools/call', { name: 'ping', arguments: {} })
    const text = JSON.stringify(body).replaceAll(modern, '2031-01-01')
    const answer = await post(fixture, text, owner.key, { ...headers, 'mcp-protocol-version': '2031-01-01' })
    expect([answer.status, answer.body.error.data]).toEqual([400, { supported: [modern], requested: '2031-01-01' }])
  })

  test.each([
    ['invalid JSON', '{"jsonrpc":', 400, -32700],
    ['nothing', '', 400, -32700],
    ['a number', '5', 400, -32600],
    ['null', 'null', 400, -32600],
    ['an empty object', '{}', 400, -32600],
    ['an empty batch', '[]', 400, -32600],
    ['a batch with an invalid message', '[1]', 400, -32600],
    ['an invalid id', '{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32600],
  ])('rejects %s', async (_name, text, status, code) => {
    const answer = await post(fixture, text, owner.key)
    expect([answer.status, answer.body.error.code, answer.body.id]).toEqual([status, code, null])
  })

  test('rejects a JSON-RPC version other than 2.0, and returns the request id', async () => {
    const answer = await post(fixture, { ...request('ping'), jsonrpc: '1.0' }, owner.key)
    expect([answer.status, answer.body.error.code, answer.body.id]).toEqual([400, -32600, 1])
  })

  test('returns -32602 for invalid params', async () => {
    const faulty: [string, object][] = [
      ['initialize', {}],
      ['resources/read', { uri: 5 }],
      ['prompts/get', {}],
      ['tools/list', { cursor: 5 }],
      ['tools/call', { name: 'ping', arguments: 5 }],
    ]
    for (const [method, params] of faulty) {
      const answer = await post(fixture, request(method, params), owner.key)
      expect([method, answer.status, answer.body.error.code, answer.body.id]).toEqual([method, 200, -32602, 1])
    }
  })

  test('returns -32601 for an unknown method', async () => {
    for (const method of ['nonsense', 'logging/setLevel', 'resources/subscribe', 'completion/complete', 'tasks/list']) {
      expect((await post(fixture, request(method, {}), owner.key)).body).toMatchObject({ id: 1, error: { code: -32601 } })
    }
    for (const method of ['nonsense', 'initialize', 'ping', 'subscriptions/listen']) {
      const { body, headers } = modernRequest(method, method === 'subscriptions/listen' ? { notifications: { toolsListChanged: true } } : {})
      const answer = await post(fixture, body, owner.key, headers)
      expect([method, answer.status, answer.body.error.code, answer.body.id]).toEqual([method, 404, -32601, 1])
    }
  })

  test('accepts and drops unsolicited responses', async () => {
    expect((await post(fixture, { jsonrpc: '2.0', id: 1, result: {} }, owner.key)).status).toBe(202)
    expect((await post(fixture, { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } }, owner.key)).status).toBe(202)
  })

  test('responds to each request of a batch separately', async () => {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }
    const answer = await post(fixture, [request('ping', {}, 1), cancel, request('nonsense', {}, 2), request('ping', {}, 1)], owner.key)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'Method not found' } },
      { jsonrpc: '2.0', id: 1, result: {} },
    ])
    expect((await post(fixture, [cancel, cancel], owner.key)).status).toBe(202)
    expect(
      (
        await post(
          fixture,
          Array.from({ length: 21 }, (_, id) => request('ping', {}, id)),
          owner.key,
        )
      ).status,
    ).toBe(400)
    expect((await post(fixture, [request('initialize'), request('ping')], owner.key)).status).toBe(400)
    expect((await post(fixture, [request('ping'), modernRequest('tools/list').body], owner.key)).status).toBe(400)
  })

  test('does not paginate lists', async () => {
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
      const first = await post(fixture, request(method, {}), owner.key)
      expect([method, first.status, first.body.result.nextCursor]).toEqual([method, 200, undefined])
      expect((await post(fixture, request(method, { cursor: 'x' }), owner.key)).body.error.code).toBe(-32602)
    }
  })
})

import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { type Caller, onEachMount } from '../v1/support/stage.ts'
import { modern, modernRequest, post, request } from './support/ask.ts'

/** Versions that begin with `initialize`, newest first. The last one is answered for old clients and not offered to new ones. */
const former = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

test.each(['content/guides/tools.md', 'README.md'])('%s names the versions that are offered', (file) => {
  const [, words = ''] = /(?:\| Versions +\||stateless and supports) ([^|.]+)/.exec(readFileSync(file, 'utf8')) ?? []
  expect(words.match(/\d{4}-\d\d-\d\d/g)).toEqual([modern, ...former.slice(0, -1)])
})

const error = (code: number, message: unknown = expect.any(String), id: unknown = null) => ({ jsonrpc: '2.0', error: { code, message }, id })

onEachMount((stage) => {
  let owner: Caller

  beforeAll(async () => {
    owner = await stage.test()
  })

  const logged = () => stage.sql('SELECT 1 FROM request_log')

  test.each(former)('%s is agreed on at initialize', async (protocolVersion) => {
    const answer = await post(stage, request('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } }), owner.key)
    expect(answer.status).toBe(200)
    expect(answer.body.result).toMatchObject({
      protocolVersion,
      capabilities: { tools: {}, resources: {}, prompts: {} },
      serverInfo: { name: 'savings-rates-data-api', title: 'Savings Rates Data API', websiteUrl: 'https://api.example.test' },
      instructions: expect.stringContaining('credits'),
    })
    expect(answer.headers.get('mcp-session-id')).toBeNull()
    expect((await post(stage, { jsonrpc: '2.0', method: 'notifications/initialized' }, owner.key, { 'mcp-protocol-version': protocolVersion })).status).toBe(
      202,
    )
    expect((await post(stage, request('ping'), owner.key, { 'mcp-protocol-version': protocolVersion })).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  test('an unknown version gets the newest of those that begin with initialize', async () => {
    const answer = await post(
      stage,
      request('initialize', { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: { name: 'test', version: '1' } }),
      owner.key,
    )
    expect(answer.body.result.protocolVersion).toBe('2025-11-25')
  })

  test('an unknown version in the header is refused, under the id of the request where there is one', async () => {
    const messages: [object, unknown][] = [
      [request('ping', {}, 7), 7],
      [request('tools/call', { name: 'ping' }, 'a'), 'a'],
      [{ jsonrpc: '2.0', method: 'notifications/initialized' }, null],
      [[request('ping')], null],
    ]
    for (const [message, id] of messages) {
      const answer = await post(stage, message, owner.key, { 'mcp-protocol-version': '1999-01-01' })
      expect([answer.status, answer.body]).toEqual([400, error(-32000, expect.any(String), id)])
    }
  })

  test('2026-07-28 is told by server/discover', async () => {
    const { body, headers } = modernRequest('server/discover')
    const answer = await post(stage, body, owner.key, headers)
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

  test('2026-07-28 says for how long and for whom an answer holds', async () => {
    const cached: [string, object, number, string][] = [
      ['tools/list', {}, 60_000, 'private'],
      ['resources/list', {}, 3_600_000, 'public'],
      ['resources/templates/list', {}, 3_600_000, 'public'],
      ['resources/read', { uri: 'svc://docs/index' }, 60_000, 'public'],
      ['prompts/list', {}, 3_600_000, 'public'],
    ]
    for (const [method, params, ttlMs, cacheScope] of cached) {
      const { body, headers } = modernRequest(method, params)
      const answer = await post(stage, body, owner.key, headers)
      expect([method, answer.body.result.ttlMs, answer.body.result.cacheScope]).toEqual([method, ttlMs, cacheScope])
    }
  })

  test.each([
    ['the name in the header is another', { 'mcp-name': 'rates' }],
    ['the method in the header is another', { 'mcp-method': 'tools/list' }],
    ['the version in the header is another', { 'mcp-protocol-version': '2025-11-25' }],
    ['there is no method in the headers', { 'mcp-method': '' }],
  ])('2026-07-28: %s, which is refused and not called', async (_name, wrong) => {
    const before = (await logged()).length
    const { body, headers } = modernRequest('tools/call', { name: 'ping', arguments: {} })
    const answer = await post(stage, body, owner.key, { ...headers, ...wrong })
    expect([answer.status, answer.body.error.code, answer.body.id]).toEqual([400, -32020, 1])
    expect((await logged()).length).toBe(before)
  })

  test('a version from the future is told what there is', async () => {
    const { body, headers } = modernRequest('tools/call', { name: 'ping', arguments: {} })
    const text = JSON.stringify(body).replaceAll(modern, '2031-01-01')
    const answer = await post(stage, text, owner.key, { ...headers, 'mcp-protocol-version': '2031-01-01' })
    expect([answer.status, answer.body.error.data]).toEqual([400, { supported: [modern], requested: '2031-01-01' }])
  })

  test.each([
    ['no JSON', '{"jsonrpc":', 400, -32700],
    ['nothing', '', 400, -32700],
    ['a number', '5', 400, -32600],
    ['null', 'null', 400, -32600],
    ['an empty object', '{}', 400, -32600],
    ['an empty batch', '[]', 400, -32600],
    ['a batch with something else in it', '[1]', 400, -32600],
    ['an id that is none', '{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32600],
  ])('%s is refused', async (_name, text, status, code) => {
    const answer = await post(stage, text, owner.key)
    expect([answer.status, answer.body.error.code, answer.body.id]).toEqual([status, code, null])
  })

  test('another version of JSON-RPC is refused under its id', async () => {
    const answer = await post(stage, { ...request('ping'), jsonrpc: '1.0' }, owner.key)
    expect([answer.status, answer.body.error.code, answer.body.id]).toEqual([400, -32600, 1])
  })

  test('parameters that are not those of a method are refused as such', async () => {
    const faulty: [string, object][] = [
      ['initialize', {}],
      ['resources/read', { uri: 5 }],
      ['prompts/get', {}],
      ['tools/list', { cursor: 5 }],
      ['tools/call', { name: 'ping', arguments: 5 }],
    ]
    for (const [method, params] of faulty) {
      const answer = await post(stage, request(method, params), owner.key)
      expect([method, answer.status, answer.body.error.code, answer.body.id]).toEqual([method, 200, -32602, 1])
    }
  })

  test('a method that is not there', async () => {
    for (const method of ['nonsense', 'logging/setLevel', 'resources/subscribe', 'completion/complete', 'tasks/list']) {
      expect((await post(stage, request(method, {}), owner.key)).body).toMatchObject({ id: 1, error: { code: -32601 } })
    }
    for (const method of ['nonsense', 'initialize', 'ping', 'subscriptions/listen']) {
      const { body, headers } = modernRequest(method, method === 'subscriptions/listen' ? { notifications: { toolsListChanged: true } } : {})
      const answer = await post(stage, body, owner.key, headers)
      expect([method, answer.status, answer.body.error.code, answer.body.id]).toEqual([method, 404, -32601, 1])
    }
  })

  test('answers, which nobody asked for, are taken and dropped', async () => {
    expect((await post(stage, { jsonrpc: '2.0', id: 1, result: {} }, owner.key)).status).toBe(202)
    expect((await post(stage, { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } }, owner.key)).status).toBe(202)
  })

  test('a batch is answered message by message', async () => {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }
    const answer = await post(stage, [request('ping', {}, 1), cancel, request('nonsense', {}, 2), request('ping', {}, 1)], owner.key)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'Method not found' } },
      { jsonrpc: '2.0', id: 1, result: {} },
    ])
    expect((await post(stage, [cancel, cancel], owner.key)).status).toBe(202)
    expect(
      (
        await post(
          stage,
          Array.from({ length: 21 }, (_, id) => request('ping', {}, id)),
          owner.key,
        )
      ).status,
    ).toBe(400)
    expect((await post(stage, [request('initialize'), request('ping')], owner.key)).status).toBe(400)
    expect((await post(stage, [request('ping'), modernRequest('tools/list').body], owner.key)).status).toBe(400)
  })

  test('lists have one page', async () => {
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
      const first = await post(stage, request(method, {}), owner.key)
      expect([method, first.status, first.body.result.nextCursor]).toEqual([method, 200, undefined])
      expect((await post(stage, request(method, { cursor: 'x' }), owner.key)).body.error.code).toBe(-32602)
    }
  })
})

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { registry } from '#server/api/endpoints/registry.ts'
import type { ApiAnswer } from '../support/accounts.ts'
import { runs, valueFor } from '../v1/support/arbitraries.ts'
import { type Caller, onEachMount } from '../v1/support/fixture.ts'
import { getParameters } from '../v1/support/target.ts'
import { modern, post, toolCall } from './support/ask.ts'

const toolName = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...registry.map(({ tool }) => tool)) }, { weight: 1, arbitrary: fc.string() })

const method = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'tools/call',
      'tools/list',
      'initialize',
      'ping',
      'resources/read',
      'resources/list',
      'prompts/get',
      'server/discover',
      'subscriptions/listen',
      'notifications/cancelled',
      'notifications/progress',
      'logging/setLevel',
    ),
  },
  { weight: 1, arbitrary: fc.string() },
)

const anyId = fc.oneof(fc.nat(), fc.string(), fc.constantFrom(null, -1, 1.5, 1e300, '', {}, []))

const envelope = fc.constantFrom(
  {},
  { 'io.modelcontextprotocol/protocolVersion': modern, 'io.modelcontextprotocol/clientCapabilities': {} },
  { 'io.modelcontextprotocol/protocolVersion': modern },
  { 'io.modelcontextprotocol/protocolVersion': 5 },
  { 'io.modelcontextprotocol/protocolVersion': '2025-11-25', 'io.modelcontextprotocol/clientCapabilities': {} },
  { progressToken: 'x' },
)

const anyParams = fc.oneof(
  { weight: 4, arbitrary: fc.record({ name: toolName, arguments: fc.oneof(fc.object(), fc.jsonValue()), _meta: envelope }, { requiredKeys: ['name'] }) },
  {
    weight: 1,
    arbitrary: fc.record(
      { uri: fc.oneof(fc.webUrl(), fc.string(), fc.constant('svc://docs/index')), _meta: envelope, cursor: fc.jsonValue() },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
)

const nearMessage = fc.record({ jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '1.0', 2), id: anyId, method, params: anyParams }, { requiredKeys: ['method'] })

const deep = fc.tuple(fc.constantFrom('[', '{"a":', '[{"b":'), fc.integer({ min: 1, max: 9_000 })).map(([open, times]) => {
  const close = open === '[' ? ']' : open === '{"a":' ? '}' : '}]'
  return `${open.repeat(times)}1${close.repeat(times)}`
})

const anyBody: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: nearMessage.map((message) => JSON.stringify(message)) },
  { weight: 2, arbitrary: fc.array(nearMessage, { maxLength: 24 }).map((messages) => JSON.stringify(messages)) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: deep.map((inside) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rates","arguments":{"type":${inside}}}}`) },
  { weight: 1, arbitrary: fc.nat(100_000).map((size) => JSON.stringify(toolCall('rates_get', { sourceKey: 'x'.repeat(size) }))) },
)

const anyHeaders = fc.record(
  {
    'mcp-protocol-version': fc.constantFrom(modern, '2025-11-25', '2024-11-05', 'x', '2099-01-01', 'é'),
    'mcp-method': fc.constantFrom('tools/call', 'tools/list', 'x', '=?base64?x?='),
    'mcp-name': fc.constantFrom('rates', 'ping', '=?base64?cmF0ZXM=?=', '=?base64?%?=', 'ü'),
    'mcp-session-id': fc.constantFrom('x', ''),
    accept: fc.constantFrom('text/event-stream', 'application/json', '*/*', ''),
    'idempotency-key': fc.constantFrom('a', 'b', 'é'),
    'x-svc-max-credits': fc.constantFrom('0', '3', '-1', 'many'),
    'last-event-id': fc.constant('1'),
    'transfer-encoding': fc.constant('chunked'),
    'content-encoding': fc.constantFrom('gzip', 'identity'),
  },
  { requiredKeys: [] },
)

/** Returns the credits that a response reports as charged. Errors count as free. */
function getReportedCredits(body: unknown): number {
  const results = (Array.isArray(body) ? body : [body ?? {}]) as { result?: { isError?: boolean; structuredContent?: { meta: { creditsCharged: number } } } }[]
  return results.reduce((sum, { result }) => sum + (result?.isError === true ? 0 : (result?.structuredContent?.meta.creditsCharged ?? 0)), 0)
}

onEachMount((fixture) => {
  const callers: Caller[] = []
  let turn = 0
  /** Balance after the last call. Only this test spends the account's credits. */
  let left = 0

  beforeAll(async () => {
    left = 10_000_000
    const plenty = { credits: left, perMinute: 1_000_000, perDay: 10_000_000 }
    const { account, ...first } = await fixture.live(plenty)
    callers.push({ account, ...first })
    // Spreads the requests over several keys, so that none of them reaches its limit on metadata requests.
    for (let i = 1; i < 8; i++) callers.push(await fixture.getKey(account))
  })

  /** Sends a request, checks the response, and compares the actual charge with the reported one. */
  async function check(send: (key: string) => Promise<ApiAnswer>): Promise<number> {
    const caller = callers[turn++ % callers.length] as Caller
    const before = left
    const { status, text, body, headers } = await send(caller.key)
    left = await fixture.balance(caller.account)
    if (![200, 202, 400, 404, 413, 415, 429].includes(status)) throw new Error(`${status} ${text}`)
    if (status === 202) expect(text).toBe('')
    else expect([headers.get('content-type')?.split(';')[0], typeof body]).toEqual(['application/json', 'object'])
    expect(before - left).toBe(getReportedCredits(body))
    return status
  }

  test('never returns a 5xx or charges for undelivered data, for any body and headers', { timeout: 90_000 }, async () => {
    const statuses = new Set<number>()
    await fc.assert(
      fc.asyncProperty(anyBody, anyHeaders, async (body, headers) => {
        const { 'transfer-encoding': _chunked, ...sent } = headers
        const all = { 'content-type': 'application/json', ...sent }
        statuses.add(await check((key) => fixture.raw('POST', '/mcp', { authorization: `Bearer ${key}`, ...all }, body)))
      }),
      runs(500),
    )
    expect([...statuses]).toEqual(expect.arrayContaining([200, 202, 400]))
  })

  test('returns 200 and charges exactly the reported credits, for any tool and arguments', { timeout: 90_000 }, async () => {
    const argument = (documented: Readonly<Record<string, unknown>>) =>
      fc.oneof({ weight: 3, arbitrary: valueFor(documented) }, { weight: 1, arbitrary: fc.jsonValue() })
    const anyCall = fc.constantFrom(...registry).chain((entry) => {
      const known = getParameters(entry).map(({ name, documented }) => [name, argument(documented)] as const)
      const inPath = Object.keys(entry.input.shape).filter((name) => entry.path.includes(`{${name}}`))
      const all = Object.fromEntries([
        ...known,
        ...inPath.map((name) => [name, fc.oneof(fc.string(), fc.jsonValue())] as const),
        ['other', fc.jsonValue()] as const,
      ])
      return fc.record(all, { requiredKeys: inPath }).map((args) => toolCall(entry.tool, args))
    })
    let results = 0
    await fc.assert(
      fc.asyncProperty(anyCall, async (message) => {
        const status = await check(async (key) => {
          const answer = await post(fixture, message, key)
          if (answer.body?.result && !answer.body.result.isError) results++
          return answer
        })
        expect(status).toBe(200)
      }),
      runs(500),
    )
    expect(results).toBeGreaterThan(0)
  })

  test.each([
    ['in the middle', '{"jsonrpc":'],
    ['after a complete call', JSON.stringify(toolCall('rates'))],
  ])('makes no tool call if the body stalls %s, and keeps serving requests', async (_where, text) => {
    const caller = callers[0] as Caller
    const before = await fixture.balance(caller.account)
    const controller = new AbortController()
    const never = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode(text)) })
    const headers = { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' }
    const init = { method: 'POST', body: never, duplex: 'half' as const, headers, signal: controller.signal }
    const sent = fetch(`${fixture.service.origin}/mcp`, init)
    setTimeout(() => controller.abort(), 200)
    await expect(sent).rejects.toThrow()
    expect((await post(fixture, toolCall('ping'), caller.key)).status).toBe(200)
    expect(await fixture.balance(caller.account)).toBe(before)
  })
})

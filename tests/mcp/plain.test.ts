import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { registry } from '#server/api/endpoints/registry.ts'
import { Bodies } from '#server/api/http/mcp-bodies.ts'
import { answerMessage } from '#server/api/http/mcp-eras.ts'
import type { Caller } from '#server/api/http/mcp-server.ts'
import type { CallHeaders, PipelineEndpoint } from '#server/api/pipeline/call.ts'
import { runs } from '../v1/support/arbitraries.ts'
import { modern } from './support/ask.ts'

/**
 * Simple tool calls are handled without the SDK. These tests handle the same message with and without the SDK, and compare the responses byte by byte. Setting
 * the caller's `standing` (the permissions of the key) forces the SDK path.
 */
const endpoints: ReadonlyMap<string, PipelineEndpoint> = new Map(registry.map((endpoint) => [endpoint.tool, endpoint]))
const standing = { scopes: new Set<string>(), overrides: new Map(), licence: 'v2026-09', getRefusal: () => null, limits: [] }
const report = () => {}

type Said = { readonly status: number; readonly body: string | null; readonly calls: readonly (readonly [string, unknown])[] }

async function say(message: unknown, headers: CallHeaders, isPlain: boolean, getResult: (bodies: Bodies) => ReturnType<Bodies['getResult']>): Promise<Said> {
  const bodies = new Bodies()
  const calls: [string, unknown][] = []
  const call: Caller['call'] = async (endpoint, given) => {
    calls.push([endpoint.tool, given])
    return getResult(bodies)
  }
  const caller = { endpoints, call, standing: isPlain ? null : standing, publicUrl: 'https://api.example.test' }
  const { status, body } = await answerMessage(message, headers, caller, report)
  return { status, body: body === null ? null : bodies.fill(body), calls }
}

type Outcome = { readonly status: number; readonly body: string }

const marked = (outcome: Outcome) => (bodies: Bodies) => bodies.getResult({ ...outcome, headers: [], bytes: 0 })

/** Returns a result without placeholders, as a server that has no fast path would pass it to the SDK. */
const whole =
  ({ status, body }: Outcome) =>
  () => {
    const content = [{ type: 'text' as const, text: body }]
    return status === 200 ? { content, structuredContent: JSON.parse(body) as Record<string, unknown> } : { content, isError: true }
  }

/** Asserts that a message gets the same response in three ways: without the SDK, and through the SDK with placeholders or with the body itself. */
async function expectSame(message: unknown, headers: CallHeaders, outcome: Outcome): Promise<Said> {
  const plain = await say(message, headers, true, marked(outcome))
  expect(await say(message, headers, false, marked(outcome))).toEqual(plain)
  expect(await say(message, headers, false, whole(outcome))).toEqual(plain)
  return plain
}

/** Keys of response bodies, with special characters. Number-like keys are excluded, because parsed JSON doesn't preserve their order. */
const key = fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }).filter((name) => !/^\d+$/.test(name) && name !== '__proto__')
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('$&', "$'", '$1', '"', '\\', '\u2028', '£', '{"a":0}', '\ud800'))
const data = fc.dictionary(key, fc.oneof(text, fc.double({ noDefaultInfinity: true, noNaN: true }), fc.boolean(), fc.constant(null), fc.array(text)))
const outcomes: fc.Arbitrary<Outcome> = fc.record({
  status: fc.constantFrom(200, 200, 402),
  body: data.map((value) => JSON.stringify({ data: value, meta: {} })),
})

const ids = fc.oneof(fc.nat(), fc.integer(), fc.string({ unit: 'binary' }), fc.constantFrom('$&', '"', Number.MAX_SAFE_INTEGER, -0))
const someArguments = fc.dictionary(fc.string(), fc.jsonValue())
const tool = fc.constantFrom(...endpoints.keys())

const envelopes = fc.constantFrom(
  { 'io.modelcontextprotocol/protocolVersion': modern, 'io.modelcontextprotocol/clientCapabilities': {} },
  {
    'io.modelcontextprotocol/protocolVersion': modern,
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  },
)

describe('simple calls', () => {
  test('returns the same bytes as the SDK in versions with initialize', async () => {
    const versions = fc.constantFrom(undefined, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05')
    await fc.assert(
      fc.asyncProperty(ids, tool, fc.option(someArguments, { nil: undefined }), versions, outcomes, async (id, name, given, version, outcome) => {
        const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { name, ...(given ? { arguments: given } : {}) } }
        const { status, calls } = await expectSame(
          JSON.parse(JSON.stringify(message)),
          version === undefined ? {} : { 'mcp-protocol-version': version },
          outcome,
        )
        expect([status, calls.length]).toEqual([200, 1])
      }),
      runs(300),
    )
  })

  test('returns the same bytes as the SDK in 2026-07-28', async () => {
    await fc.assert(
      fc.asyncProperty(ids, tool, someArguments, envelopes, outcomes, async (id, name, given, _meta, outcome) => {
        const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given, _meta } }
        const headers = { 'mcp-protocol-version': modern, 'mcp-method': 'tools/call', 'mcp-name': name }
        const { status, calls } = await expectSame(JSON.parse(JSON.stringify(message)), headers, outcome)
        expect([status, calls.length]).toEqual([200, 1])
      }),
      runs(300),
    )
  })
})

test('returns the same response as the SDK for calls that almost qualify for the fast path', async () => {
  const odd = fc.oneof(fc.constantFrom(null, 5, '', [], {}, true), fc.jsonValue())
  const params = fc.record(
    {
      name: fc.oneof({ weight: 5, arbitrary: tool }, odd),
      arguments: fc.oneof({ weight: 3, arbitrary: someArguments }, odd),
      _meta: fc.oneof(envelopes, fc.constant({}), odd),
      task: odd,
      requestState: odd,
    },
    { requiredKeys: ['name'] },
  )
  const message = fc.record(
    {
      jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '1.0'),
      id: fc.oneof({ weight: 5, arbitrary: ids }, fc.constantFrom(1.5, 1e300), odd),
      method: fc.constantFrom('tools/call', 'tools/call', 'tools/list'),
      params: fc.oneof({ weight: 5, arbitrary: params }, odd),
      extra: odd,
    },
    { requiredKeys: ['jsonrpc', 'id', 'method', 'params'] },
  )
  const headers = fc.record(
    {
      'mcp-protocol-version': fc.constantFrom(modern, '2025-11-25', 'x', ''),
      'mcp-method': fc.constantFrom('tools/call', 'tools/list', ''),
      'mcp-name': fc.oneof(tool, fc.constantFrom('', '=?base64?cmF0ZXM=?=')),
    },
    { requiredKeys: [] },
  )
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(message, headers, outcomes, async (sent, given, outcome) => {
      const parsed = JSON.parse(JSON.stringify(sent))
      // The MCP server leaves `standing` null only for calls of known tools.
      if (parsed.method !== 'tools/call' || !endpoints.has(parsed.params?.name)) return
      statuses.add((await expectSame(parsed, given, outcome)).status)
    }),
    runs(600),
  )
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400]))
})

const fine: Outcome = { status: 200, body: '{"data":{},"meta":{}}' }

/** Builds a call for protocol version 2026-07-28, or for the version in its headers and `_meta`. */
const modernCall = (version: string, more: object, headerVersion = version) => ({
  message: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'ping', _meta: { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {}, ...more } },
  },
  headers: { 'mcp-protocol-version': headerVersion, 'mcp-method': 'tools/call', 'mcp-name': 'ping' },
})

test('rejects an unsupported `_meta` each time it is sent, regardless of the headers', async () => {
  for (const headerVersion of ['2031-01-01', modern, modern]) {
    const { message, headers } = modernCall('2031-01-01', { seen: 'never' }, headerVersion)
    const { status, calls } = await expectSame(message, headers, fine)
    expect([headerVersion, status, calls]).toEqual([headerVersion, 400, []])
  }
})

test('accepts a `_meta` that is nested too deeply to serialise', async () => {
  const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown
  for (const _ of [1, 2]) {
    const { message, headers } = modernCall(modern, { deep })
    const { status, calls } = await expectSame(message, headers, fine)
    expect([status, calls.length]).toEqual([200, 1])
  }
})

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { AjvJsonSchemaValidator as FormerValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registry } from '#server/api/endpoints/registry.ts'
import { getFaults } from '../v1/support/declared-shape.ts'
import { type Caller, type Fixture, onEachMount } from '../v1/support/fixture.ts'
import { getTarget, isLaunched } from '../v1/support/target.ts'
import { getArguments } from './support/arguments.ts'
import { openOwner } from './support/compare.ts'
import { keptValidators } from './support/kept-validators.ts'

/** Common interface of the two major versions of the official client, as used here. */
type AnyClient = {
  listTools: () => Promise<{ tools: { name: string }[] }>
  callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<Record<string, unknown>>
  listResources: () => Promise<{ resources: { uri: string }[] }>
  readResource: (of: { uri: string }) => Promise<{ contents: object[] }>
  listPrompts: () => Promise<{ prompts: object[] }>
  getPrompt: (of: { name: string; arguments: Record<string, string> }) => Promise<{ messages: object[] }>
  close: () => Promise<void>
}

const me = { name: 'tests', version: '1.0.0' }

/** Validators bundled with each major version of the client. */
const own = { jsonSchemaValidator: keptValidators(new AjvJsonSchemaValidator()) }
const ownOfFormer = { jsonSchemaValidator: keptValidators(new FormerValidator()) }
const at = (fixture: Fixture) => new URL(`${fixture.service.origin}/mcp`)
const withKey = (key: string) => ({ requestInit: { headers: { Authorization: `Bearer ${key}` } } })

/** Configurations of the official client, with the protocol version that each negotiates. */
const configurations: readonly [string, string, (fixture: Fixture, key: string) => Promise<{ client: AnyClient; version: string | undefined }>][] = [
  [
    '2.x, bound to 2026-07-28',
    '2026-07-28',
    async (fixture, key) => {
      const client = new Client(me, { ...own, versionNegotiation: { mode: { pin: '2026-07-28' } } })
      await client.connect(new StreamableHTTPClientTransport(at(fixture), withKey(key)))
      return { client: client as unknown as AnyClient, version: client.getNegotiatedProtocolVersion() }
    },
  ],
  [
    '2.x, negotiating the version',
    '2026-07-28',
    async (fixture, key) => {
      const client = new Client(me, { ...own, versionNegotiation: { mode: 'auto' } })
      await client.connect(new StreamableHTTPClientTransport(at(fixture), withKey(key)))
      return { client: client as unknown as AnyClient, version: client.getNegotiatedProtocolVersion() }
    },
  ],
  [
    '2.x with defaults',
    '2025-11-25',
    async (fixture, key) => {
      const client = new Client(me, own)
      await client.connect(new StreamableHTTPClientTransport(at(fixture), withKey(key)))
      return { client: client as unknown as AnyClient, version: client.getNegotiatedProtocolVersion() }
    },
  ],
  [
    '1.x',
    '2025-11-25',
    async (fixture, key) => {
      const client = new FormerClient(me, ownOfFormer)
      const transport = new FormerTransport(at(fixture), withKey(key))
      // The type of the SDK's transport doesn't match its interface under exactOptionalPropertyTypes.
      await client.connect(transport as Parameters<typeof client.connect>[0])
      return { client: client as unknown as AnyClient, version: transport.protocolVersion }
    },
  ],
]

onEachMount((fixture) => {
  let caller: Caller

  beforeAll(async () => {
    caller = (await openOwner(fixture)).sample
  })

  /** Calls a tool with minimal arguments. The client throws if structuredContent does not match the listed schema. */
  async function callAndCheck(client: AnyClient, name: string): Promise<void> {
    const entry = registry.find(({ tool }) => tool === name)
    if (!entry) throw new Error(`Unknown endpoint ${name}.`)
    const target = await getTarget(fixture, entry, 'sample', entry.kind === 'list' ? 'limit=3' : '')
    const result = await client.callTool({ name, arguments: getArguments(entry, target) })
    expect([name, result['isError']]).toEqual([name, isLaunched(entry) ? undefined : true])
    if (!isLaunched(entry)) return
    const { data } = result['structuredContent'] as { data: unknown }
    const rows = Array.isArray(data) ? data : [data]
    expect([name, rows.flatMap((row) => getFaults(row, entry.output))]).toEqual([name, []])
  }

  describe.each(configurations)('the official client %s', (_name, wanted, connect) => {
    let client: AnyClient
    let version: string | undefined
    let tools: { name: string }[]

    // Shares one client between all tests, so that the list is read only once.
    beforeAll(async () => {
      ;({ client, version } = await connect(fixture, caller.key))
      ;({ tools } = await client.listTools())
    })

    afterAll(() => client.close())

    test(`negotiates ${wanted}, lists all tools, and gets valid output from each with a test key`, async () => {
      expect(version).toBe(wanted)
      expect(tools.map(({ name }) => name).toSorted()).toEqual(
        registry
          .filter(({ live }) => live !== 'coming-soon')
          .map(({ tool }) => tool)
          .toSorted(),
      )
      for (const { name } of tools) await callAndCheck(client, name)
    }, 60_000)

    test('accepts rows trimmed by fields', async () => {
      const result = await client.callTool({ name: 'rates', arguments: { fields: ['rate', 'provider'], limit: 2 } })
      const { data } = result['structuredContent'] as { data: object[] }
      expect(data.map((row) => Object.keys(row))).toEqual([
        ['rate', 'provider'],
        ['rate', 'provider'],
      ])
    })

    test('receives API errors as tool results, and unknown tools as protocol errors', async () => {
      const refused = await client.callTool({ name: 'rates', arguments: { type: 'none' } })
      expect([refused['isError'], refused['structuredContent']]).toEqual([true, undefined])
      await expect(client.callTool({ name: 'nonsense', arguments: {} })).rejects.toMatchObject({ code: -32602 })
    })

    test('reads the documentation index and the prompt', async () => {
      const { resources } = await client.listResources()
      expect(resources.map(({ uri }) => uri)).toEqual(['svc://docs/index'])
      const { contents } = await client.readResource({ uri: 'svc://docs/index' })
      expect(contents).toEqual([
        { uri: 'svc://docs/index', mimeType: 'text/markdown', text: expect.stringContaining('- `rates` (GET /rates): List savings products') },
      ])
      await expect(client.readResource({ uri: 'svc://docs/none' })).rejects.toMatchObject({ code: -32602 })
      const { prompts } = await client.listPrompts()
      expect(prompts).toEqual([expect.objectContaining({ name: 'compare_accounts' })])
      const { messages } = await client.getPrompt({ name: 'compare_accounts', arguments: { amount: '20000', type: 'cash-isa' } })
      expect(messages).toEqual([
        { role: 'user', content: { type: 'text', text: expect.stringContaining('{"amount": 20000, "type": "cash-isa", "limit": 5}') } },
      ])
    })
  })

  test('rejects every client without a valid key', async () => {
    for (const [, , connect] of configurations) await expect(connect(fixture, 'svc_test_nonsense')).rejects.toThrow()
  })
})

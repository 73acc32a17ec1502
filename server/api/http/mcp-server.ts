import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Tool,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import manifest from '#package.json' with { type: 'json' }
import { suggestion } from '#server/api/contract/nearest.ts'
import { productName } from '#server/api/contract/product-name.ts'
import { compareAccounts, comparisonText, readComparison } from '#server/api/documents/compare-accounts.ts'
import { docsIndex } from '#server/api/documents/docs-index.ts'
import { toolsFor } from '#server/api/documents/tools.ts'
import type { PipelineEndpoint } from '#server/api/pipeline/call.ts'
import type { Standing } from '#server/api/pipeline/metadata-requests.ts'

/** Context for the messages of one HTTP request. */
export type Caller = {
  readonly endpoints: ReadonlyMap<string, PipelineEndpoint>
  /** Makes the API call of a tool through the pipeline. */
  readonly call: (endpoint: PipelineEndpoint, given: Readonly<Record<string, unknown>>) => Promise<CallToolResult>
  /** Permissions of the key; null if the request contains only a call, because the pipeline then checks the key. */
  readonly standing: Standing | null
  readonly publicUrl: string
}

/** Latest version of the protocol. The SDK has no constant for it yet. */
export const newest = '2026-07-28'

const minuteMs = 60_000

const docs = {
  uri: 'svc://docs/index',
  name: 'docs-index',
  title: 'Index of the documentation',
  description: 'Every tool with its endpoint, scope and price, how charging and limits work, and the page of each error.',
  mimeType: 'text/markdown',
}

const instructions =
  'UK savings data. Every tool is an endpoint of the HTTP API with the same prices: a call with a live key spends prepaid credits. The description of the tool states the price, and the result repeats it in meta.creditsCharged and meta.creditsBalance. `me` is free and returns the balance. Request no more rows than you need (`limit`), and look up keys and slugs with the `reference_` tools. Errors say what to do next and are free. Show meta.attribution with the data.'

/**
 * Replaces the SDK's validator for client responses, because the SDK would create one for every request. It is never used: the server sends no requests to
 * clients.
 */
const jsonSchemaValidator = {
  getValidator: () => {
    throw new Error('The MCP server does not validate client responses.')
  },
}

const invalidParams = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message)

/**
 * Schemas of the protocol requests, limited to the fields used here; without them the SDK would report invalid input as an internal error. Lists have a single
 * page, so no cursor is valid.
 */
const page = { params: z.looseObject({ cursor: z.never('is not a cursor of this list, which has only one page').optional() }) }
const resource = { params: z.looseObject({ uri: z.string() }) }
/**
 * Accepts any arguments, because the SDK has already checked that they are an object. A record schema would drop `__proto__`, and a dropped argument cannot be
 * rejected.
 */
const tool = { params: z.looseObject({ name: z.string(), arguments: z.custom<Readonly<Record<string, unknown>>>().optional() }) }
const prompt = { params: z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.string()).optional() }) }

function serveTools(server: Server, { endpoints, call, standing }: Caller): void {
  server.setRequestHandler('tools/call', tool, async ({ name, arguments: given = {} }) => {
    const endpoint = endpoints.get(name)
    if (!endpoint) throw invalidParams(`Unknown tool "${name.slice(0, 60)}".${suggestion(name, endpoints.keys())}`)
    return call(endpoint, given)
  })
  if (standing === null) return
  server.setRequestHandler('tools/list', page, () => ({ tools: toolsFor(standing) as unknown as Tool[] }))
}

function serveDocs(server: Server, { publicUrl }: Caller, { overrides, licence }: Standing): void {
  server.setRequestHandler('resources/list', page, () => ({ resources: [docs] }))
  server.setRequestHandler('resources/templates/list', page, () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', resource, ({ uri }) => {
    if (uri !== docs.uri) throw new ResourceNotFoundError(uri)
    return { contents: [{ uri: docs.uri, mimeType: docs.mimeType, text: docsIndex({ publicUrl, overrides, licence }) }] }
  })
}

function servePrompts(server: Server): void {
  server.setRequestHandler('prompts/list', page, () => ({ prompts: [compareAccounts] }))
  server.setRequestHandler('prompts/get', prompt, ({ name, arguments: given = {} }) => {
    if (name !== compareAccounts.name) throw invalidParams(`Unknown prompt "${name.slice(0, 60)}". Valid prompts: ${compareAccounts.name}.`)
    const asked = readComparison(given)
    if (typeof asked === 'string') throw invalidParams(asked)
    return { description: compareAccounts.description, messages: [{ role: 'user' as const, content: { type: 'text' as const, text: comparisonText(asked) } }] }
  })
}

/** Creates a server for the messages of one request. This takes a few microseconds and ensures that no data can leak between callers. */
export function serverFor(caller: Caller): Server {
  const { publicUrl, standing } = caller
  const server = new Server(
    { name: manifest.name, title: productName, version: manifest.version, websiteUrl: publicUrl },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions,
      supportedProtocolVersions: [...SUPPORTED_PROTOCOL_VERSIONS, newest],
      jsonSchemaValidator,
      cacheHints: {
        'tools/list': { ttlMs: minuteMs, cacheScope: 'private' },
        'server/discover': { ttlMs: 60 * minuteMs, cacheScope: 'public' },
        'resources/list': { ttlMs: 60 * minuteMs, cacheScope: 'public' },
        'resources/templates/list': { ttlMs: 60 * minuteMs, cacheScope: 'public' },
        'resources/read': { ttlMs: minuteMs, cacheScope: 'public' },
        'prompts/list': { ttlMs: 60 * minuteMs, cacheScope: 'public' },
      },
    },
  )
  serveTools(server, caller)
  if (standing === null) return server
  serveDocs(server, caller, standing)
  servePrompts(server)
  return server
}

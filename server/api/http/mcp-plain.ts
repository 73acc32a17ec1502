import { randomUUID } from 'node:crypto'
import { type JSONRPCRequest, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import type { PipelineEndpoint } from '#server/api/pipeline/call.ts'
import { Bodies } from './mcp-bodies.ts'
import { jsonAnswer, type ToolAnswer } from './mcp-front.ts'
import type { Caller } from './mcp-server.ts'

/** Tool call that is simple enough to be answered without the SDK. */
export type PlainCall = { readonly message: JSONRPCRequest; readonly name: string; readonly given: Readonly<Record<string, unknown>> }

const messageFields = new Set(['jsonrpc', 'id', 'method', 'params'])
const paramFields = new Set(['name', 'arguments', '_meta'])

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const hasOnly = (value: object, names: ReadonlySet<string>) => Object.keys(value).every((name) => names.has(name))
const isId = (value: unknown) => typeof value === 'string' || Number.isSafeInteger(value)

/**
 * Parses a message as a plain call. Returns null if it contains anything that the SDK might interpret differently. The caller of this function checks `_meta`.
 */
function readPlainly(message: unknown): (PlainCall & { readonly meta: unknown }) | null {
  if (!(isObject(message) && hasOnly(message, messageFields) && message['jsonrpc'] === '2.0' && message['method'] === 'tools/call' && isId(message['id'])))
    return null
  const { params } = message
  if (!(isObject(params) && hasOnly(params, paramFields) && typeof params['name'] === 'string')) return null
  const { name, arguments: given = {}, _meta: meta } = params
  if (!isObject(given)) return null
  return { message: message as unknown as JSONRPCRequest, name, given, meta }
}

/** Parses a plain `tools/call` message of MCP protocol version 2025-11-25 or earlier. Returns null for any other message. */
export function plainFormerCall(message: unknown, version: string | undefined): PlainCall | null {
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return null
  const call = readPlainly(message)
  return call?.meta === undefined ? call : null
}

const maxEnvelopes = 1_000
const longestEnvelope = 2_000
const envelopes = new Set<string>()

/** Returns the serialised `_meta` of a message; null if there is none or it is not worth caching. */
function getText(meta: unknown): string | null {
  if (!isObject(meta)) return null
  try {
    const text = JSON.stringify(meta)
    return text.length > longestEnvelope ? null : text
  } catch {
    // Nested too deeply to serialise. The SDK handles it like any other `_meta` that is not cached.
    return null
  }
}

/** Remembers that the SDK accepted the `_meta` of a message. Clients send the same `_meta` with every call. */
export function rememberEnvelope(message: JSONRPCRequest): void {
  const text = getText(message.params?._meta)
  if (text === null) return
  if (envelopes.size >= maxEnvelopes) envelopes.clear()
  envelopes.add(text)
}

/**
 * Parses a plain `tools/call` message of MCP protocol version 2026-07-28. Returns null for any other message, or if the SDK has not accepted a message with the
 * same `_meta` before.
 */
export function plainNewestCall(message: unknown): PlainCall | null {
  const call = readPlainly(message)
  const text = getText(call?.meta)
  return text !== null && envelopes.has(text) ? call : null
}

/** SDK output for a successful and a rejected call, with placeholders for id and body. */
type Templates = { readonly granted: string; readonly refused: string }

type Ask = (message: JSONRPCRequest, caller: Caller) => Promise<object>

const idPlaceholder = randomUUID()

async function getTemplate({ message }: PlainCall, caller: Caller, status: number, ask: Ask): Promise<string> {
  const result = new Bodies().getResult({ status, headers: [], body: '', bytes: 0 })
  const answer = await ask({ ...message, id: idPlaceholder }, { ...caller, call: async () => result })
  if (!('result' in answer)) throw new Error('The SDK rejected a plain tool call.')
  return JSON.stringify(answer)
}

/**
 * Answers plain calls of one protocol version, using the SDK's own output as a template. Having the SDK parse and serialise each call would cost several times
 * as much as the call itself, with the same result every time. Instead, the SDK processes one call that is not executed, and its output is reused.
 */
export class PlainAnswers {
  private readonly ask: Ask
  private templates: Promise<Templates> | null = null

  /** `ask` passes a message to the SDK in this protocol version and returns the SDK's answer. */
  constructor(ask: Ask) {
    this.ask = ask
  }

  /** @throws if the SDK returns no template for the call; in that case, the call has not been made. */
  async answer(call: PlainCall, endpoint: PipelineEndpoint, caller: Caller): Promise<ToolAnswer> {
    this.templates ??= this.learn(call, caller)
    const { granted, refused } = await this.templates
    const { isError } = await caller.call(endpoint, call.given)
    return jsonAnswer(
      200,
      (isError === true ? refused : granted).replace(`"${idPlaceholder}"`, () => JSON.stringify(call.message.id)),
    )
  }

  private async learn(call: PlainCall, caller: Caller): Promise<Templates> {
    try {
      const [granted, refused] = await Promise.all([200, 400].map((status) => getTemplate(call, caller, status, this.ask)))
      return { granted: granted ?? '', refused: refused ?? '' }
    } catch (error) {
      // The next call retries.
      this.templates = null
      throw error
    }
  }
}

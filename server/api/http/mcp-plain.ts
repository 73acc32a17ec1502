import { randomUUID } from 'node:crypto'
import { type JSONRPCRequest, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import type { GateEndpoint } from '#server/api/pipeline/call.ts'
import { Bodies } from './mcp-bodies.ts'
import { jsonAnswer, type ToolAnswer } from './mcp-front.ts'
import type { Caller } from './mcp-server.ts'

/** A call of a tool with nothing in it but the call. */
export type PlainCall = { readonly message: JSONRPCRequest; readonly name: string; readonly given: Readonly<Record<string, unknown>> }

const inMessage = new Set(['jsonrpc', 'id', 'method', 'params'])
const inParams = new Set(['name', 'arguments', '_meta'])

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const hasOnly = (value: object, names: ReadonlySet<string>) => Object.keys(value).every((name) => names.has(name))
const isId = (value: unknown) => typeof value === 'string' || Number.isSafeInteger(value)

/** A message as a plain call, or null when there is anything in it that the SDK might read otherwise. `_meta` is left to whoever asks. */
function readPlainly(message: unknown): (PlainCall & { readonly meta: unknown }) | null {
  if (!(isObject(message) && hasOnly(message, inMessage) && message['jsonrpc'] === '2.0' && message['method'] === 'tools/call' && isId(message['id'])))
    return null
  const { params } = message
  if (!(isObject(params) && hasOnly(params, inParams) && typeof params['name'] === 'string')) return null
  const { name, arguments: given = {}, _meta: meta } = params
  if (!isObject(given)) return null
  return { message: message as unknown as JSONRPCRequest, name, given, meta }
}

/** A plain call of 2025-11-25 or before. */
export function plainFormerCall(message: unknown, version: string | undefined): PlainCall | null {
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return null
  const call = readPlainly(message)
  return call?.meta === undefined ? call : null
}

const mostEnvelopes = 1_000
const longestEnvelope = 2_000
const envelopes = new Set<string>()

/** The `_meta` of a message as text; null where there is none, or one that is not worth keeping. */
function textOf(meta: unknown): string | null {
  if (!isObject(meta)) return null
  try {
    const text = JSON.stringify(meta)
    return text.length > longestEnvelope ? null : text
  } catch {
    // Too deep to be written. What the SDK says of it is as good as of any other that is not kept.
    return null
  }
}

/** Remembers that the SDK has taken the `_meta` of a message. Clients send the same with every call. */
export function rememberEnvelope(message: JSONRPCRequest): void {
  const text = textOf(message.params?._meta)
  if (text === null) return
  if (envelopes.size >= mostEnvelopes) envelopes.clear()
  envelopes.add(text)
}

/** A plain call of 2026-07-28, with a `_meta` that the SDK has taken before to the letter. */
export function plainNewestCall(message: unknown): PlainCall | null {
  const call = readPlainly(message)
  const text = textOf(call?.meta)
  return text !== null && envelopes.has(text) ? call : null
}

/** What the SDK writes around the body of a call that was granted and of one that was refused, with marks in place of id and body. */
type Templates = { readonly granted: string; readonly refused: string }

type Ask = (message: JSONRPCRequest, caller: Caller) => Promise<object>

const idMark = randomUUID()

async function templateOf({ message }: PlainCall, caller: Caller, status: number, ask: Ask): Promise<string> {
  const result = new Bodies().resultOf({ status, headers: [], body: '', bytes: 0 })
  const answer = await ask({ ...message, id: idMark }, { ...caller, call: async () => result })
  if (!('result' in answer)) throw new Error('The SDK refused a plain call.')
  return JSON.stringify(answer)
}

/**
 * Answers plain calls of one era in the words that the SDK has for them. To have it read and write each of them would cost several times as much as the
 * call itself, and it says the same every time: so it is asked once, with a call that goes nowhere, and its words are used from then on.
 */
export class PlainAnswers {
  private readonly ask: Ask
  private templates: Promise<Templates> | null = null

  /** `ask` has the SDK answer a message of this era. */
  constructor(ask: Ask) {
    this.ask = ask
  }

  /** @throws when the SDK has no words for the call; nothing was called then. */
  async answer(call: PlainCall, endpoint: GateEndpoint, caller: Caller): Promise<ToolAnswer> {
    this.templates ??= this.learn(call, caller)
    const { granted, refused } = await this.templates
    const { isError } = await caller.call(endpoint, call.given)
    return jsonAnswer(
      200,
      (isError === true ? refused : granted).replace(`"${idMark}"`, () => JSON.stringify(call.message.id)),
    )
  }

  private async learn(call: PlainCall, caller: Caller): Promise<Templates> {
    try {
      const [granted, refused] = await Promise.all([200, 400].map((status) => templateOf(call, caller, status, this.ask)))
      return { granted: granted ?? '', refused: refused ?? '' }
    } catch (error) {
      // The next call tries again.
      this.templates = null
      throw error
    }
  }
}

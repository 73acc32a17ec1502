import { hash } from 'node:crypto'
import { registry } from '#server/api/endpoints/registry.ts'
import type { Gate } from '#server/api/pipeline/admit.ts'
import type { Answer, CallHeaders, GateEndpoint } from '#server/api/pipeline/call.ts'
import { isIdempotencyKey, longestIdempotencyKey } from '#server/api/pipeline/spending.ts'
import type { Log } from '#server/observability/log.ts'
import { Bodies } from './mcp-bodies.ts'
import { frontRefusal, hostnameOf, rpcCodes, rpcError, type ToolAnswer } from './mcp-front.ts'
import { routeOfCall } from './mcp-target.ts'
import type { Router } from './router.ts'

/** A request to the tool server, by whatever mount it came. */
export type ToolRequest = {
  readonly method: string
  /** By lower-case name. */
  readonly headers: CallHeaders
  readonly address: string | null
  /** The body, or null when it is longer than `longestBody`. */
  readonly body: () => Promise<string | null>
}

/** Bytes of a body that are read at most. A message with a whole batch of calls has a few thousand. */
export const longestBody = 65_536

type Parts = { readonly gate: Gate; readonly router: Router; readonly publicUrl: string; readonly log: Log }

const unreadable = Symbol('unreadable')

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // What is wrong with it is told by the answer: there is nothing more to say of text that is no JSON.
    return unreadable
  }
}

/** An answer of the gate as it is sent over HTTP: to callers who have no key that works, for whom there is no result of a tool. */
function asItIs({ status, headers, body }: Answer): ToolAnswer {
  return { status, headers, body }
}

/** Headers of the gate that say about a call what they say in HTTP. */
const tellsOfCall = /^(?:X-SVC-|X-RateLimit-|RateLimit|Deprecation|Sunset)/

/** Those of them that every answer has, whatever it is about. */
const tellsOfLimits = /^(?:X-RateLimit-|RateLimit)/

function headersLike(pattern: RegExp, headers: readonly string[]): string[] {
  return headers.flatMap((name, at) => (at % 2 === 0 && pattern.test(name) ? [name, headers[at + 1] ?? ''] : []))
}

/** The one thing that has to be known before the SDK reads a message: whether it is a call of a tool and nothing else. */
function isCall(message: unknown, endpoints: ReadonlyMap<string, GateEndpoint>): boolean {
  const { method, params } = (typeof message === 'object' && message !== null ? message : {}) as { method?: unknown; params?: { name?: unknown } | null }
  return method === 'tools/call' && typeof params?.name === 'string' && endpoints.has(params.name)
}

/** The headers of one call among several. A key that makes a message safe to send again stands for all of its calls, so each has one of its own made of it. */
function ofOneCall(headers: CallHeaders, place: number): CallHeaders {
  const key = headers['idempotency-key']
  if (!isIdempotencyKey(key)) return headers
  const own = `${key}.${place}`
  return { ...headers, 'idempotency-key': own.length <= longestIdempotencyKey ? own : `${hash('sha256', key, 'hex')}.${place}` }
}

/**
 * The tool server: every endpoint as a tool, over JSON-RPC, in all versions of the protocol on one address. It keeps nothing between requests. The SDK
 * reads and writes the protocol and is loaded with the first message; the gate decides the calls.
 */
export class ToolServer {
  private readonly parts: Parts
  private readonly publicName: string
  private loading: Promise<typeof import('./mcp-eras.ts')> | null = null
  private readonly endpoints: ReadonlyMap<string, GateEndpoint> = new Map(registry.map((endpoint) => [endpoint.tool, endpoint]))

  constructor(parts: Parts) {
    this.parts = parts
    this.publicName = hostnameOf(parts.publicUrl) ?? ''
  }

  async answer(request: ToolRequest): Promise<ToolAnswer> {
    const refused = frontRefusal(request.method, request.headers, this.publicName)
    if (refused) return this.limitedByAddress(refused, request)
    try {
      const text = await request.body()
      return await this.read(text === null ? null : parse(text), text === null, request)
    } catch (error) {
      this.parts.log.error({ err: error }, 'The tool server failed.')
      return this.limitedByAddress(rpcError(500, rpcCodes.internal, 'The service failed. Try again shortly.'), request)
    }
  }

  /** An answer to somebody whose key nobody has looked at. */
  private limitedByAddress(answer: ToolAnswer, { address }: ToolRequest): ToolAnswer {
    return { ...answer, headers: [...answer.headers, ...this.parts.gate.visitors.limitsByAddress(address)] }
  }

  private async read(message: unknown, isTooLong: boolean, { headers, address }: ToolRequest): Promise<ToolAnswer> {
    const { visitors } = this.parts.gate
    const isOneCall = isCall(message, this.endpoints)
    const met = isOneCall ? await visitors.refuseStranger(headers, address) : await visitors.standing(headers, address)
    if (met !== null && 'status' in met) return asItIs(met)
    const asked = met?.limits ?? []
    if (isTooLong) return rpcError(413, rpcCodes.server, `The body is longer than ${longestBody} bytes.`, null, asked)
    if (message === unreadable) return rpcError(400, rpcCodes.parse, 'The body is not JSON.', null, asked)
    const bodies = new Bodies()
    let told: readonly string[] | null = null
    let calls = 0
    const call = async (endpoint: GateEndpoint, given: Readonly<Record<string, unknown>>) => {
      const answer = await this.call(endpoint, given, isOneCall ? headers : ofOneCall(headers, ++calls), address)
      told = headersLike(isOneCall ? tellsOfCall : tellsOfLimits, answer.headers)
      return bodies.resultOf(answer)
    }
    const { answerMessage } = await this.sdk()
    const report = (error: Error) => this.parts.log.debug({ err: error }, 'The tool server refused a message.')
    const answer = await answerMessage(message, headers, { endpoints: this.endpoints, call, standing: met, publicUrl: this.parts.publicUrl }, report)
    const limits = told ?? met?.limits ?? (await this.limitsOf(headers, address))
    return { status: answer.status, headers: [...answer.headers, ...limits], body: answer.body === null ? null : bodies.fill(answer.body) }
  }

  /** The limit headers of a message that turned out to hold no call: they tell of questions, as those of any other message without one. */
  private async limitsOf(headers: CallHeaders, address: string | null): Promise<readonly string[]> {
    const met = await this.parts.gate.visitors.standing(headers, address)
    return 'status' in met ? headersLike(tellsOfLimits, met.headers) : met.limits
  }

  /** What needs the SDK, which takes a tenth of a second and some megabytes to load: a gateway without tool clients never does. */
  private sdk(): Promise<typeof import('./mcp-eras.ts')> {
    this.loading ??= import('./mcp-eras.ts')
    return this.loading
  }

  /** A call as the HTTP mounts make it, but for conditional requests: a tool has no answer that says "as before". */
  private call(endpoint: GateEndpoint, given: Readonly<Record<string, unknown>>, headers: CallHeaders, address: string | null): Promise<Answer> {
    const { 'if-none-match': _tag, ...kept } = headers
    return this.parts.gate.answer({ route: routeOfCall(endpoint, given, this.parts.router), headers: kept, address })
  }
}

import { hash } from 'node:crypto'
import { resourceMetadataUrl } from '#server/api/contract/oauth.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { type Answer, type CallHeaders, headerPairs, type PipelineEndpoint, type Route } from '#server/api/pipeline/call.ts'
import type { Pipeline } from '#server/api/pipeline/pipeline.ts'
import { isIdempotencyKey, longestIdempotencyKey } from '#server/api/pipeline/spending-headers.ts'
import { isArgument } from '#server/api/pipeline/validate.ts'
import type { Log } from '#server/observability/log.ts'
import { compress } from './compression.ts'
import { getEncoding } from './content-encoding.ts'
import { Bodies } from './mcp-bodies.ts'
import { frontRefusal, getHostname, rpcCodes, rpcError, type SentToolAnswer, type ToolAnswer } from './mcp-front.ts'
import type { Router } from './router.ts'

/**
 * Converts an argument to query values. A list of `fields` becomes one value, as in HTTP. Any other list becomes a repeated parameter, and null or undefined
 * becomes an empty parameter; the pipeline rejects both with an error that names the parameter.
 */
function getValues(name: string, value: unknown): string[] {
  const texts = (Array.isArray(value) ? value : [value]).map((one) => {
    if (one === null || one === undefined) return ''
    if (typeof one === 'object') return '{…}'
    // Formats an integer in plain digits, as in a query, rather than as 1e+21.
    return Number.isInteger(one) ? BigInt(one as number).toString() : String(one).toWellFormed()
  })
  if (texts.length === 0) return ['']
  return name === 'fields' ? [texts.join(',')] : texts
}

/**
 * Returns the route of a tool call, which is the route of the URL with the same parameters. Calls over MCP and over HTTP are therefore parsed, cached and
 * rejected in the same way.
 */
function routeOfCall(endpoint: PipelineEndpoint, given: Readonly<Record<string, unknown>>, router: Router): Route {
  const path: Record<string, string> = {}
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given)) {
    const values = getValues(name, value)
    if (endpoint.path.includes(`{${name}}`)) path[name] = values.join()
    else for (const text of values) query.append(name, text)
  }
  const search = query.toString()
  const filled = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  const target = search === '' ? filled : `${filled}?${search}`
  const isKnown = Object.keys(given).every((name) => isArgument(endpoint, name))
  const route = isKnown ? router.resolve(endpoint.method, target) : null
  // If there is no equivalent URL, because a path parameter is missing or an argument is unknown, the pipeline reports that argument.
  return route?.endpoint === endpoint ? route : { endpoint, allow: null, path, search, target, hint: '', isTool: true }
}

/** MCP request, independent of the HTTP server (Next route handler or plain listener) that received it. */
export type ToolRequest = {
  readonly method: string
  /** Headers by lower-case name. */
  readonly headers: CallHeaders
  readonly address: string | null
  /** Reads the body. Resolves to null if it is longer than `longestBody`. */
  readonly body: () => Promise<string | null>
}

/** Maximum length of a body in bytes. A full batch of calls takes a few thousand bytes. */
export const longestBody = 65_536

type Parts = { readonly pipeline: Pipeline; readonly router: Router; readonly publicUrl: string; readonly log: Log }

const endedKeyChallenge = 'Bearer realm="svc", error="invalid_token"'

const unreadable = Symbol('unreadable')

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The response says that the body is not JSON; there is no more detail to add.
    return unreadable
  }
}

/**
 * Tells clients without a valid key where they can ask the user for one (RFC 9728). A key that has ended gets 401 here, not 403 as in v1: MCP clients ask for a
 * new key only after 401.
 */
function withResourceMetadata(answer: Answer, publicUrl: string): Answer {
  const metadata = `resource_metadata="${resourceMetadataUrl(publicUrl)}"`
  if (answer.code === 'key_revoked') return { ...answer, status: 401, headers: [...answer.headers, 'WWW-Authenticate', `${endedKeyChallenge}, ${metadata}`] }
  const at = answer.headers.indexOf('WWW-Authenticate')
  return at === -1 ? answer : { ...answer, headers: answer.headers.with(at + 1, `${answer.headers[at + 1]}, ${metadata}`) }
}

/** Matches the API response headers that MCP responses also carry, with the same meaning. */
const isCallHeader = /^(?:X-SVC-|X-RateLimit-|RateLimit|Deprecation|Sunset)/

/** Matches the rate limit headers, which every response has. */
const isLimitHeader = /^(?:X-RateLimit-|RateLimit)/

function headersLike(pattern: RegExp, headers: readonly string[]): string[] {
  return headerPairs(headers).flatMap((pair) => (pattern.test(pair[0]) ? pair : []))
}

/**
 * Returns true if a message is a single call of a known tool. Tool calls do not count as metadata requests, so this is checked before the SDK reads the
 * message.
 */
function isCall(message: unknown, endpoints: ReadonlyMap<string, PipelineEndpoint>): boolean {
  const { method, params } = (typeof message === 'object' && message !== null ? message : {}) as { method?: unknown; params?: { name?: unknown } | null }
  return method === 'tools/call' && typeof params?.name === 'string' && endpoints.has(params.name)
}

/** Returns the headers of one call in a batch. The batch has one Idempotency-Key for all its calls, so a separate key is derived for each call. */
function getBatchedHeaders(headers: CallHeaders, place: number): CallHeaders {
  const key = headers['idempotency-key']
  if (!isIdempotencyKey(key)) return headers
  const own = `${key}.${place}`
  return { ...headers, 'idempotency-key': own.length <= longestIdempotencyKey ? own : `${hash('sha256', key, 'hex')}.${place}` }
}

/**
 * MCP server that offers every endpoint as a tool. One URL supports all versions of the protocol, and no state is kept between requests. The SDK parses and
 * serialises the messages, and is loaded when the first one arrives. The pipeline handles the calls.
 */
export class ToolServer {
  private readonly parts: Parts
  private readonly publicName: string
  private loading: Promise<typeof import('./mcp-eras.ts')> | null = null
  private readonly endpoints: ReadonlyMap<string, PipelineEndpoint> = new Map(registry.map((endpoint) => [endpoint.tool, endpoint]))

  constructor(parts: Parts) {
    this.parts = parts
    this.publicName = getHostname(parts.publicUrl) ?? ''
  }

  /** Handles a request, and compresses the response if the client accepts it. */
  async answer(request: ToolRequest): Promise<SentToolAnswer> {
    const answer = await this.respond(request)
    const accept = request.headers['accept-encoding']
    if (accept === undefined || answer.body === null) return answer
    const encoding = getEncoding(accept, Buffer.byteLength(answer.body))
    const body = encoding && (await compress(answer.body, encoding, this.parts.log))
    return body ? { status: answer.status, headers: [...answer.headers, 'Content-Encoding', encoding, 'Vary', 'Accept-Encoding'], body } : answer
  }

  private async respond(request: ToolRequest): Promise<ToolAnswer> {
    const refused = frontRefusal(request.method, request.headers, this.publicName)
    if (refused) return this.limitedByAddress(refused, request)
    try {
      const text = await request.body()
      return await this.read(text === null ? null : parse(text), text === null, request)
    } catch (error) {
      this.parts.log.error({ err: error }, 'Failed to answer an MCP request.')
      return this.limitedByAddress(rpcError(500, rpcCodes.internal, 'The service failed. Try again shortly.'), request)
    }
  }

  /** Adds the rate limit headers for the client's address to a response that is sent before the key is checked. */
  private limitedByAddress(answer: ToolAnswer, { address }: ToolRequest): ToolAnswer {
    return { ...answer, headers: [...answer.headers, ...this.parts.pipeline.visitors.limitsByAddress(address)] }
  }

  private async read(message: unknown, isTooLong: boolean, { headers, address }: ToolRequest): Promise<ToolAnswer> {
    const { visitors } = this.parts.pipeline
    const isOneCall = isCall(message, this.endpoints)
    const access = isOneCall ? await visitors.refuseUnauthenticated(headers, address) : await visitors.standing(headers, address)
    // A request rejected because of its key gets the pipeline's response instead of a tool result.
    if (access !== null && 'status' in access) return withResourceMetadata(access, this.parts.publicUrl)
    const accessLimits = access?.limits ?? []
    if (isTooLong) return rpcError(413, rpcCodes.server, `The body is longer than ${longestBody} bytes.`, null, accessLimits)
    if (message === unreadable) return rpcError(400, rpcCodes.parse, 'The body is not JSON.', null, accessLimits)
    const bodies = new Bodies()
    let callLimits: readonly string[] | null = null
    let calls = 0
    const call = async (endpoint: PipelineEndpoint, given: Readonly<Record<string, unknown>>) => {
      const answer = await this.call(endpoint, given, isOneCall ? headers : getBatchedHeaders(headers, ++calls), address)
      callLimits = headersLike(isOneCall ? isCallHeader : isLimitHeader, answer.headers)
      return bodies.getResult(answer)
    }
    const { answerMessage } = await this.sdk()
    const report = (error: Error) => this.parts.log.debug({ err: error }, 'The MCP server rejected a message.')
    const answer = await answerMessage(message, headers, { endpoints: this.endpoints, call, standing: access, publicUrl: this.parts.publicUrl }, report)
    const limits = callLimits ?? access?.limits ?? (await this.getLimits(headers, address))
    return { status: answer.status, headers: [...answer.headers, ...limits], body: answer.body === null ? null : bodies.fill(answer.body) }
  }

  /** Returns the rate limit headers of metadata requests. Used for a message that turned out not to contain a call. */
  private async getLimits(headers: CallHeaders, address: string | null): Promise<readonly string[]> {
    const access = await this.parts.pipeline.visitors.standing(headers, address)
    return 'status' in access ? headersLike(isLimitHeader, access.headers) : access.limits
  }

  /**
   * Loads the code that needs the SDK on first use. Loading takes a tenth of a second and several megabytes, a cost that processes without MCP clients avoid.
   */
  private sdk(): Promise<typeof import('./mcp-eras.ts')> {
    this.loading ??= import('./mcp-eras.ts')
    return this.loading
  }

  /** Makes a call in the same way as an HTTP request, but without conditional requests, which a tool result cannot express, and always in JSON. */
  private call(endpoint: PipelineEndpoint, given: Readonly<Record<string, unknown>>, headers: CallHeaders, address: string | null): Promise<Answer> {
    const { 'if-none-match': _tag, accept: _accept, ...kept } = headers
    return this.parts.pipeline.answer({ route: routeOfCall(endpoint, given, this.parts.router), headers: kept, address })
  }
}

import {
  classifyInboundRequest,
  createMcpHandler,
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageClassification,
  PerRequestHTTPServerTransport,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import type { CallHeaders } from '#server/api/pipeline/call.ts'
import { accepted, jsonAnswer, rpcCodes, rpcError, single, type ToolAnswer } from './mcp-front.ts'
import { PlainAnswers, type PlainCall, plainFormerCall, plainNewestCall, rememberEnvelope } from './mcp-plain.ts'
import { type Caller, newest, serverFor } from './mcp-server.ts'

/** Classification of a message by the SDK; null for MCP protocol versions before 2026-07-28, whose messages are not classified. */
type Classification = MessageClassification | null

/**
 * SDK transport for one request. The classification determines the protocol version: 2026-07-28, or an earlier version if it is null. `ask` returns the
 * response message itself instead of the web Response that the SDK would build.
 */
class Exchange extends PerRequestHTTPServerTransport {
  private readonly answered = Promise.withResolvers<JSONRPCMessage>()
  private readonly wasClassified: Classification

  constructor(classification: Classification) {
    super({ classification: classification ?? { era: 'legacy' } })
    this.wasClassified = classification
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    // Ignores anything other than a response: a notification has no recipient here.
    if (!('method' in message)) this.answered.resolve(message)
  }

  ask(message: JSONRPCRequest): Promise<JSONRPCMessage> {
    this.onmessage?.(message, this.wasClassified === null ? {} : { classification: this.wasClassified })
    return this.answered.promise
  }
}

/**
 * Answers one request with a dedicated server. Neither server nor transport holds any resources, so both are left to the garbage collector: closing them would
 * create an error with a stack trace.
 */
async function askOnce(server: Server, message: JSONRPCRequest, classification: Classification): Promise<JSONRPCMessage> {
  const exchange = new Exchange(classification)
  await server.connect(exchange)
  return exchange.ask(message)
}

const maxInBatch = 20

/** Receives the reason why the SDK rejected a message. */
type Report = (error: Error) => void

/** Values of the MCP protocol headers; undefined if a header is missing. */
type ProtocolHeaders = { readonly version: string | undefined; readonly method: string | undefined; readonly name: string | undefined }

/** Serves MCP protocol version 2026-07-28 through the HTTP handler of the SDK, which validates every part of a message and rejects invalid ones. */
async function serveModern(message: unknown, { version, method, name }: ProtocolHeaders, caller: Caller, report: Report): Promise<ToolAnswer> {
  const given = { 'Content-Type': 'application/json', 'Mcp-Protocol-Version': version, 'Mcp-Method': method, 'Mcp-Name': name }
  const headers = Object.entries(given).flatMap(([header, value]): [string, string][] => (value === undefined ? [] : [[header, value]]))
  const handler = createMcpHandler(() => serverFor(caller), { legacy: 'reject', onerror: report })
  const response = await handler.fetch(new Request(caller.publicUrl, { method: 'POST', headers }), { parsedBody: message })
  const body = await response.text()
  return body === '' ? { ...accepted, status: response.status } : jsonAnswer(response.status, body)
}

const askFormer = (message: JSONRPCRequest, caller: Caller) => askOnce(serverFor(caller), message, null)

/** Returns true if the headers of a tool call exactly match its message, so that the SDK would accept them. */
function repeats({ params }: JSONRPCRequest, { version, method, name }: ProtocolHeaders): boolean {
  return version === newest && method === 'tools/call' && name === params?.['name']
}

/** Answers a batch, a feature of MCP protocol version 2025-03-26. Handles each message separately, so that none can impersonate or cancel another. */
async function answerBatch(messages: readonly unknown[], caller: Caller): Promise<ToolAnswer> {
  if (messages.length > maxInBatch) return rpcError(400, rpcCodes.request, `A batch may contain at most ${maxInBatch} messages.`)
  const requests = messages.filter(isJSONRPCRequest)
  if (messages.length > 1 && requests.some(({ method }) => method === 'initialize')) {
    return rpcError(400, rpcCodes.request, 'initialize must not be batched with other messages.')
  }
  if (requests.length === 0) return accepted
  const answers = await Promise.all(requests.map((request) => askFormer(request, caller)))
  return jsonAnswer(200, JSON.stringify(answers))
}

const former = new PlainAnswers(askFormer)
const latest = new PlainAnswers((message, caller) => askOnce(serverFor(caller), message, { era: 'modern', revision: newest }))

/** Answers a plain tool call without the SDK. Returns null for any other message, which the SDK must handle. */
function answerPlainly(message: unknown, headers: ProtocolHeaders, caller: Caller): Promise<ToolAnswer> | null {
  const isFormer = headers.version !== newest
  const call: PlainCall | null = isFormer ? plainFormerCall(message, headers.version) : plainNewestCall(message)
  const endpoint = call && caller.endpoints.get(call.name)
  if (!endpoint || !(isFormer || repeats(call.message, headers))) return null
  return (isFormer ? former : latest).answer(call, endpoint, caller)
}

/** Wraps a `Caller` so that it remembers the `_meta` of a message when the call is made, because only then has the SDK accepted the message. */
function remembering(message: JSONRPCRequest, caller: Caller): Caller {
  return {
    ...caller,
    call: (endpoint, given) => {
      rememberEnvelope(message)
      return caller.call(endpoint, given)
    },
  }
}

type Route = ReturnType<typeof classifyInboundRequest>

/** Answers messages that claim to follow MCP protocol version 2026-07-28, whether or not they are valid. */
function answerModern(
  route: Exclude<Route, { kind: 'legacy' }>,
  message: unknown,
  headers: ProtocolHeaders,
  caller: Caller,
  report: Report,
): Promise<ToolAnswer> {
  if (route.kind === 'modern' && route.messageKind === 'request') {
    // Rejected because the stream would never carry a notification, and each open stream would hold a connection.
    if (route.message.method === 'subscriptions/listen') return Promise.resolve(rpcError(404, rpcCodes.method, 'Method not found', route.message.id))
    if (caller.standing === null) return serveModern(message, headers, remembering(route.message, caller), report)
  }
  return serveModern(message, headers, caller, report)
}

/** Answers messages of MCP protocol versions up to 2025-11-25. The version was negotiated at `initialize`, if at all, and a header may state it. */
async function answerFormer(
  { reason }: Extract<Route, { kind: 'legacy' }>,
  message: unknown,
  { version }: ProtocolHeaders,
  caller: Caller,
): Promise<ToolAnswer> {
  if (reason !== 'initialize' && version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
    const text = `Unsupported protocol version. Supported: ${[newest, ...SUPPORTED_PROTOCOL_VERSIONS].join(', ')}.`
    return rpcError(400, rpcCodes.server, text, isJSONRPCRequest(message) ? message.id : null)
  }
  if (reason === 'batch') return answerBatch(message as readonly unknown[], caller)
  if (reason !== 'initialize' && reason !== 'no-claim') return accepted
  const request = message as JSONRPCRequest
  const isFaulty = reason === 'initialize' && !isInitializeRequest(message)
  return isFaulty
    ? rpcError(200, rpcCodes.params, 'Invalid params for initialize.', request.id)
    : jsonAnswer(200, JSON.stringify(await askFormer(request, caller)))
}

/**
 * Answers the message in one POST request, using the protocol version of the message. `message` is parsed JSON of any shape; `report` receives the reason if
 * the SDK rejects it.
 */
export async function answerMessage(message: unknown, headers: CallHeaders, caller: Caller, report: Report): Promise<ToolAnswer> {
  const given = { version: single(headers['mcp-protocol-version']), method: single(headers['mcp-method']), name: single(headers['mcp-name']) }
  const plain = caller.standing === null ? answerPlainly(message, given, caller) : null
  if (plain) return plain
  const route = classifyInboundRequest({ httpMethod: 'POST', body: message, ...(given.version === undefined ? {} : { protocolVersionHeader: given.version }) })
  return route.kind === 'legacy' ? answerFormer(route, message, given, caller) : answerModern(route, message, given, caller, report)
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { maxBodyBytes } from '#server/api/contract/request-bounds.ts'
import type { Answer, DirectAnswer } from '#server/api/pipeline/call.ts'
import type { Pipeline } from '#server/api/pipeline/pipeline.ts'
import type { Health } from '#server/observability/health.ts'
import type { Log } from '#server/observability/log.ts'
import { type CallRecord, calls, steps } from '#server/observability/telemetry/calls.ts'
import { http } from '#server/runtime/node-http.ts'
import { isApiPath, isToolPath, targetUnder } from './address-shapes.ts'
import { encodeAnswer } from './compressed-page.ts'
import { answerMalformed, Connections } from './connections.ts'
import type { ListenerLimits } from './listener-limits.ts'
import type { ToolServer } from './mcp.ts'
import { serveTools } from './mcp-mounts.ts'
import { writePageHead } from './portal-answers.ts'
import { readBody, readOnce } from './request-body.ts'
import { type Fault, faultOfBytes, faultOfForm, getFault, statusAt, tooManyAtOnce, unknownExpectation } from './request-faults.ts'
import type { Router } from './router.ts'
import { sendFile } from './send-file.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

export type LeanParts = {
  readonly pipeline: Pipeline
  readonly router: Router
  readonly tools: ToolServer
  readonly health: Health<object>
  readonly trustProxy: TrustedProxies
  readonly log: Log
  readonly limits: ListenerLimits
  /** Returns true if this listener answers an API call itself; otherwise the call goes to `fallback`. */
  readonly answers: (request: IncomingMessage) => boolean
  /** Returns a function that answers a request for one of the routes in other-routes.ts; null for any other URL. */
  readonly otherRoutes: (url: string, request: IncomingMessage, address: string | null) => (() => Promise<DirectAnswer>) | null
  /** Counts a request outside the API towards its network's rate limit. Returns false if it was rejected. If undefined, there is no limit. */
  readonly admits?: (request: IncomingMessage, response: ServerResponse, address: string | null) => boolean
  /** Answers the operator's requests for metrics. Returns null for any other request, so that `/metrics` looks like an unknown URL to everyone else. */
  readonly operator: (url: string, request: IncomingMessage) => Promise<Answer> | null
  /** Security headers for responses that come from neither the pipeline nor Next, as a flat list of names and values. */
  readonly securityHeaders: readonly string[]
  /** Response class; Node's by default. */
  readonly response?: typeof ServerResponse<IncomingMessage>
  /** Serves all other requests, which are for the portal and the public site. `address` is the client's IP address. */
  readonly fallback: (request: IncomingMessage, response: ServerResponse, address: string | null) => void
  /** Returns true if a request asks for a supported protocol upgrade. All other requests are handled as usual. */
  readonly upgrades?: (request: IncomingMessage) => boolean
}

const slash = 47

/**
 * Returns the target as a path. A proxy may send scheme and host with it (RFC 9112, 3.2.2), which have no meaning here and are removed. `*` and similar
 * targets are unchanged: they match no path.
 */
function getPath(request: IncomingMessage): string {
  const url = request.url ?? '/'
  if (url.charCodeAt(0) === slash) return url
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
  request.url = path === '' || path.startsWith('?') ? `/${path}` : path
  return request.url
}

/** Returns the part of a URL after `/v1`, or null for other paths. Returns a target that is not a path unchanged: it matches no endpoint. */
const getTarget = (url: string): string | null => (url.charCodeAt(0) === slash ? targetUnder('/v1', url) : url)

/** Returns true for a chunked body that has not been fully read. Its unread bytes would be parsed as the next request, and the body might never end. */
const hasEndlessBody = ({ complete, headers }: IncomingMessage) => !complete && headers['transfer-encoding'] !== undefined

/** Sends the body of a response whose head has been written. */
function sendBody(response: ServerResponse, { body, file }: DirectAnswer): void {
  if (file) sendFile(response, file)
  else response.end(body)
}

function send(response: ServerResponse, answer: DirectAnswer): void {
  if (answer.status !== 304 && !answer.isUnpaid) answer.headers.push('Content-Length', String(answer.bytes))
  if (hasEndlessBody(response.req)) answer.headers.push('Connection', 'close')
  response.req.resume()
  response.writeHead(answer.status, answer.headers)
  sendBody(response, answer)
}

/** Sends the pipeline's response to a call. Fast path for a page of data, by far the most common response. */
function sendAnswer(response: ServerResponse, answer: DirectAnswer): void {
  if (answer.status !== 200 || answer.isUnpaid || hasEndlessBody(response.req)) {
    send(response, answer)
    return
  }
  writePageHead(response, answer)
  sendBody(response, answer)
}

function finishCall(response: ServerResponse, answer: DirectAnswer, record: CallRecord): void {
  sendAnswer(response, answer)
  record.mark(steps.send)
  calls.end(record)
}

/** Sets the security headers of a response that comes from neither the pipeline nor Next. The response may override them later. */
function secure({ securityHeaders }: LeanParts, response: ServerResponse): ServerResponse {
  for (let at = 0; at < securityHeaders.length; at += 2) response.setHeader(securityHeaders[at] ?? '', securityHeaders[at + 1] ?? '')
  return response
}

async function sendHealth(response: ServerResponse, health: Health<object>, isReadiness: boolean): Promise<void> {
  const { status, body } = isReadiness ? await health.ready() : health.live()
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
  response.end(JSON.stringify(body))
}

const getPeer = ({ socket }: IncomingMessage): string | null => socket.remoteAddress ?? null

const getAddress = (request: IncomingMessage, trustProxy: TrustedProxies): string | null =>
  trustProxy.clientAddress(getPeer(request), request.headers['x-forwarded-for'])

/** Passes an API call to the pipeline. */
function serveCall(parts: LeanParts, target: string, request: IncomingMessage, response: ServerResponse): void {
  const record = calls.begin(request.headers['traceparent'])
  const address = getAddress(request, parts.trustProxy)
  const route = parts.router.resolve(request.method ?? 'GET', target)
  const takesBody = route.endpoint !== null && route.endpoint.body !== null
  // A body that is not used must be drained: left unread, a body sent one byte at a time would take up a hundred times its size in memory.
  if (!takesBody && (request.headers['transfer-encoding'] !== undefined || request.headers['content-length'] !== undefined)) request.resume()
  const body = takesBody ? { body: readOnce(() => readBody(request, maxBodyBytes)) } : {}
  const send = (answer: Answer) => {
    const accept = request.headers['accept-encoding']
    const ready = accept === undefined ? answer : encodeAnswer(answer, accept, parts.log)
    if (ready instanceof Promise) return ready.then((encoded) => finishCall(response, encoded, record))
    return finishCall(response, ready, record)
  }
  // The pipeline answers every call, even one that fails inside it, so only sending can fail. It must not end the process.
  parts.pipeline
    .answer({ route, headers: request.headers, isHead: request.method === 'HEAD', address, record, ...body })
    .then(send)
    .catch((error: unknown) => {
      parts.log.error({ err: error }, 'Failed to send a response.')
      response.destroy()
    })
}

/** Rejects a request with a reason and closes its connection, so that nothing after it on the same connection is parsed. */
function refuse(parts: LeanParts, connections: Connections, fault: Fault, request: IncomingMessage, response: ServerResponse): void {
  const answer = parts.pipeline.malformed(getAddress(request, parts.trustProxy), fault.message)
  const { limits } = parts
  connections.refuse(request.socket)
  request.resume()
  answer.headers.push('Content-Length', String(answer.bytes), 'Connection', 'close')
  if (fault.status === 405) answer.headers.push('Allow', 'GET, HEAD, POST')
  const respond = () => {
    response.writeHead(answer.status === 400 ? statusAt(getPath(request), fault) : answer.status, answer.headers)
    response.end(answer.body)
  }
  // Delayed if the sender is over its limit or the URL is outside the API, because the sender might otherwise open the next connection immediately.
  if (answer.status === 429 || !isApiPath(request.url ?? '')) setTimeout(respond, limits.overLimitDelayMs)
  else respond()
}

/** Counts a request outside the API towards its network's rate limit. Returns false if it was rejected. API calls have separate limits. */
const isAdmitted = ({ admits }: LeanParts, url: string, request: IncomingMessage, response: ServerResponse, address: string | null): boolean =>
  isApiPath(url) || (admits?.(request, response, address) ?? true)

/** Serves requests other than v1 calls and health checks. Returns an error if the request must not reach Next, else null. */
function serveRest(parts: LeanParts, url: string, request: IncomingMessage, response: ServerResponse): Fault | null {
  const address = getAddress(request, parts.trustProxy)
  const isOurs = parts.answers(request)
  const operator = parts.operator(url, request)
  const otherRoutes = operator || !isOurs ? null : parts.otherRoutes(url, request, address)
  if (isOurs && isToolPath(url)) void serveTools(parts.tools, request, secure(parts, response), address)
  else if (operator) void operator.then((answer) => send(secure(parts, response), answer))
  else if (otherRoutes) {
    if (isAdmitted(parts, url, request, secure(parts, response), address)) void otherRoutes().then((answer) => send(response, answer))
  } else {
    const fault = faultOfForm(request, url)
    if (fault) return fault
    parts.trustProxy.dropForwarded(getPeer(request), request.headers)
    parts.fallback(request, response, address)
  }
  return null
}

/** Serves a request that has passed the checks so far. Returns an error found by a later check, or null. */
function serve(parts: LeanParts, url: string, request: IncomingMessage, response: ServerResponse): Fault | null {
  const target = getTarget(url)
  if (target !== null && parts.answers(request)) serveCall(parts, target, request, response)
  else if (url === '/healthz' || url === '/readyz') {
    request.resume()
    void sendHealth(secure(parts, response), parts.health, url === '/readyz')
  } else return serveRest(parts, url, request, response)
  return null
}

/** Builds the response to bytes that are not a valid request. */
function answerTo(parts: LeanParts, { status, message }: Fault, socket: unknown): Answer {
  const peer = socket instanceof Socket ? (socket.remoteAddress ?? null) : null
  const answer = parts.pipeline.malformed(peer, message)
  return answer.status === 400 ? { ...answer, status } : answer
}

/** Creates the plain HTTP listener. It builds no web Request and Response objects, because they would reduce the throughput by a quarter. */
export function createLeanServer(parts: LeanParts): Server {
  const { limits } = parts
  const connections = new Connections(limits, parts.log, parts.trustProxy)
  const listen = (request: IncomingMessage, response: ServerResponse, isAsking: boolean) => {
    // Ignores further requests on a rejected connection. Their bodies are discarded, because Node would otherwise keep them in memory.
    if (connections.isRefused(request.socket)) return void request.resume()
    const url = getPath(request)
    const early = getFault(request, url, limits) ?? (connections.begin(request, response) ? null : tooManyAtOnce(limits.atOnce))
    if (early === null && isAsking) response.writeContinue()
    const fault = early ?? serve(parts, url, request, response)
    if (fault) refuse(parts, connections, fault, request, response)
  }
  const server = http.createServer(
    {
      keepAliveTimeout: limits.keepAliveMs,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      maxHeaderSize: limits.headBytes,
      // We check the Host header ourselves, so that the error has the same shape as every other error.
      requireHostHeader: false,
      shouldUpgradeCallback: (request) => parts.upgrades?.(request) ?? false,
      ServerResponse: parts.response ?? http.ServerResponse,
    },
    (request, response) => listen(request, response, false),
  )
  // 0 disables Node's limit, which would silently drop any headers over the limit and could change the meaning of a request. `getFault` limits the number of
  // headers instead.
  server.maxHeadersCount = 0
  server.on('checkContinue', (request, response) => listen(request, response, true))
  server.on('checkExpectation', (request, response) => refuse(parts, connections, unknownExpectation, request, response))
  server.on('connect', (_request, socket) => answerMalformed(socket, connections, () => answerTo(parts, faultOfBytes(undefined, limits), socket)))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else answerMalformed(socket, connections, () => answerTo(parts, faultOfBytes(error.code, limits), socket))
  })
  connections.watch(server)
  return server
}

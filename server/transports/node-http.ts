import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Gate } from '../gate/admit.ts'
import type { Answer } from '../gate/call.ts'
import type { Health } from '../health.ts'
import { calls, steps } from '../tally/calls.ts'
import { callerAddress } from './caller-address.ts'
import type { ToolServer } from './mcp.ts'
import { isToolPath, serveTools } from './mcp-mounts.ts'
import type { Router } from './router.ts'

export type LeanParts = {
  readonly gate: Gate
  readonly router: Router
  readonly tools: ToolServer
  readonly health: Health<object>
  readonly trustProxy: number
  /** Whether this listener answers a call of the API itself; what it leaves goes to `fallback`. */
  readonly answers: (request: IncomingMessage) => boolean
  /** Answers what else the API has beside v1 and its tools; null when the address is none of it. */
  readonly beside: (url: string, request: IncomingMessage, address: string | null) => Promise<Answer> | null
  /** Answers the operator; null: whoever asks is told nothing, as if the address led nowhere. */
  readonly operator: (url: string, request: IncomingMessage) => Promise<Answer> | null
  /** What answers are written by; Node's unless given. */
  readonly response?: typeof ServerResponse<IncomingMessage>
  /** Serves everything else, with the address of the caller: the portal. */
  readonly fallback: (request: IncomingMessage, response: ServerResponse, address: string | null) => void
}

const versionPrefix = '/v1'
const slash = 47

/**
 * The target as a path. A proxy may send it with scheme and host (RFC 9112, 3.2.2), which say nothing here, so it goes on without them. `*` and
 * the like stay as they are: no path leads there.
 */
function pathOf(request: IncomingMessage): string {
  const url = request.url ?? '/'
  if (url.charCodeAt(0) === slash) return url
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
  request.url = path === '' || path.startsWith('?') ? `/${path}` : path
  return request.url
}

/** The target under the version, or null when the path is not one of ours. `/v1`, `/v1/…` and `/v1?…` are, and whatever is no path at all. */
function targetOf(url: string): string | null {
  if (!url.startsWith(versionPrefix)) return url.charCodeAt(0) === slash ? null : url
  const next = url.charCodeAt(versionPrefix.length)
  return Number.isNaN(next) || next === slash || next === 63 ? url.slice(versionPrefix.length) : null
}

function send(response: ServerResponse, answer: Answer): void {
  if (answer.status !== 304) answer.headers.push('Content-Length', String(answer.bytes))
  response.writeHead(answer.status, answer.headers)
  response.end(answer.body)
}

async function sendHealth(response: ServerResponse, health: Health<object>, isReadiness: boolean): Promise<void> {
  const { status, body } = isReadiness ? await health.ready() : health.live()
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
  response.end(JSON.stringify(body))
}

/** Answers on a bare socket a caller whose request is no HTTP, in the shape of every other error. */
function sendMalformed(socket: Duplex, answer: Answer): void {
  const headers: string[] = []
  for (let at = 0; at < answer.headers.length; at += 2) headers.push(`${answer.headers[at]}: ${answer.headers[at + 1]}\r\n`)
  socket.end(`HTTP/1.1 400 Bad Request\r\n${headers.join('')}Content-Length: ${answer.bytes}\r\nConnection: close\r\n\r\n${answer.body}`)
}

function addressOf(request: IncomingMessage, trustProxy: number): string | null {
  const peer = request.socket.remoteAddress ?? null
  return trustProxy === 0 ? peer : callerAddress(peer, request.headers['x-forwarded-for'], trustProxy)
}

/** Hands a call of the API to the gate. */
function serveCall(parts: LeanParts, target: string, request: IncomingMessage, response: ServerResponse): void {
  const record = calls.begin(request.headers['traceparent'])
  const address = addressOf(request, parts.trustProxy)
  const route = parts.router.resolve(request.method ?? 'GET', target)
  // The gate answers every call, also one that fails inside it, so nothing can be thrown here.
  void parts.gate.answer({ route, headers: request.headers, address, record }).then((answer) => {
    send(response, answer)
    record.mark(steps.send)
    calls.end(record)
  })
}

/** Serves what is neither a call of v1 nor a question about health. */
function serveRest(parts: LeanParts, url: string, request: IncomingMessage, response: ServerResponse): void {
  const told = parts.operator(url, request)
  if (told) {
    void told.then((answer) => send(response, answer))
    return
  }
  const address = addressOf(request, parts.trustProxy)
  const isOurs = parts.answers(request)
  const beside = isOurs ? parts.beside(url, request, address) : null
  if (isOurs && isToolPath(url)) void serveTools(parts.tools, request, response, address)
  else if (beside) void beside.then((answer) => send(response, answer))
  else parts.fallback(request, response, address)
}

/** The lean mount: a plain listener without web Request and Response objects, which would cost a quarter of the throughput. */
export function createLeanServer(parts: LeanParts): Server {
  const { gate, health } = parts
  const limits = { keepAliveTimeout: 65_000, headersTimeout: 30_000, requestTimeout: 60_000 }
  const server = createServer({ ...limits, ServerResponse: parts.response ?? ServerResponse }, (request, response) => {
    const url = pathOf(request)
    const target = targetOf(url)
    if (target !== null && parts.answers(request)) serveCall(parts, target, request, response)
    else if (url === '/healthz' || url === '/readyz') void sendHealth(response, health, url === '/readyz')
    else serveRest(parts, url, request, response)
  })
  server.on('clientError', (_error, socket) => {
    const address = 'remoteAddress' in socket && typeof socket.remoteAddress === 'string' ? socket.remoteAddress : null
    if (socket.writable) sendMalformed(socket, gate.malformed(address))
    else socket.destroy()
  })
  return server
}

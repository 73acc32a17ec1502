import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Gate } from '../gate/admit.ts'
import type { Answer } from '../gate/call.ts'
import type { Health } from '../health.ts'
import { callerAddress } from './caller-address.ts'
import type { Router } from './router.ts'

export type LeanParts = {
  readonly gate: Gate | null
  readonly router: Router
  readonly health: Health
  readonly trustProxy: number
  /** Serves everything that is not the API: the portal. */
  readonly fallback: (request: IncomingMessage, response: ServerResponse) => void
}

const versionPrefix = '/v1'

/** The target under the version, or null when the path is not one of ours. `/v1`, `/v1/…` and `/v1?…` are. */
function targetOf(url: string): string | null {
  if (!url.startsWith(versionPrefix)) return null
  const next = url.charCodeAt(versionPrefix.length)
  return Number.isNaN(next) || next === 47 || next === 63 ? url.slice(versionPrefix.length) : null
}

function send(response: ServerResponse, answer: Answer): void {
  if (answer.status !== 304) answer.headers.push('Content-Length', String(answer.bytes))
  response.writeHead(answer.status, answer.headers)
  response.end(answer.body)
}

async function sendHealth(response: ServerResponse, health: Health, isReadiness: boolean): Promise<void> {
  const { status, body } = isReadiness ? await health.ready() : health.live()
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
  response.end(JSON.stringify(body))
}

/** What a caller reads whose request is no HTTP: it has no key and no path yet, so there is nothing to count. */
const malformed =
  'HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nConnection: close\r\n\r\n' +
  '{"error":"invalid_request","message":"This is not a well-formed HTTP request.","requestId":null,"docs":"/docs/errors/invalid_request"}'

/** Hands a call of the API to the gate. */
function serveCall(parts: LeanParts, gate: Gate, target: string, request: IncomingMessage, response: ServerResponse): void {
  const peer = request.socket.remoteAddress ?? null
  const address = parts.trustProxy === 0 ? peer : callerAddress(peer, request.headers['x-forwarded-for'], parts.trustProxy)
  const route = parts.router.resolve(request.method ?? 'GET', target)
  // The gate answers every call, also one that fails inside it, so nothing can be thrown here.
  void gate.answer({ route, headers: request.headers, address }).then((answer) => send(response, answer))
}

/** The lean mount: a plain listener without web Request and Response objects, which would cost a quarter of the throughput. */
export function createLeanServer(parts: LeanParts): Server {
  const { gate, health, fallback } = parts
  const server = createServer({ keepAliveTimeout: 65_000, headersTimeout: 30_000, requestTimeout: 60_000 }, (request, response) => {
    const url = request.url ?? '/'
    const target = gate ? targetOf(url) : null
    if (gate && target !== null) serveCall(parts, gate, target, request, response)
    else if (url === '/healthz' || url === '/readyz') void sendHealth(response, health, url === '/readyz')
    else fallback(request, response)
  })
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end(malformed)
    else socket.destroy()
  })
  return server
}

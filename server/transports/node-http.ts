import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Gate } from '../gate/admit.ts'
import type { Answer } from '../gate/call.ts'
import type { Health } from '../health.ts'
import { callerAddress } from './caller-address.ts'
import type { Router } from './router.ts'

export type LeanParts = {
  readonly gate: Gate
  readonly router: Router
  readonly health: Health
  readonly trustProxy: number
  /** Whether this listener answers a call of the API itself; what it leaves goes to `fallback`. */
  readonly answers: (request: IncomingMessage) => boolean
  /** Serves everything else, with the address of the caller: the portal. */
  readonly fallback: (request: IncomingMessage, response: ServerResponse, address: string | null) => void
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
  const address = addressOf(request, parts.trustProxy)
  const route = parts.router.resolve(request.method ?? 'GET', target)
  // The gate answers every call, also one that fails inside it, so nothing can be thrown here.
  void parts.gate.answer({ route, headers: request.headers, address }).then((answer) => send(response, answer))
}

/** The lean mount: a plain listener without web Request and Response objects, which would cost a quarter of the throughput. */
export function createLeanServer(parts: LeanParts): Server {
  const { gate, health, fallback, trustProxy } = parts
  const server = createServer({ keepAliveTimeout: 65_000, headersTimeout: 30_000, requestTimeout: 60_000 }, (request, response) => {
    const url = request.url ?? '/'
    const target = targetOf(url)
    if (target !== null && parts.answers(request)) serveCall(parts, target, request, response)
    else if (url === '/healthz' || url === '/readyz') void sendHealth(response, health, url === '/readyz')
    else fallback(request, response, addressOf(request, trustProxy))
  })
  server.on('clientError', (_error, socket) => {
    const address = 'remoteAddress' in socket && typeof socket.remoteAddress === 'string' ? socket.remoteAddress : null
    if (socket.writable) sendMalformed(socket, gate.malformed(address))
    else socket.destroy()
  })
  return server
}

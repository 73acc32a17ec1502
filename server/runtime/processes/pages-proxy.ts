import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { selfFetchPeer } from '#server/api/http/peer.ts'
import type { Log } from '#server/observability/log.ts'
import { isFromThisMachine } from '../loopback.ts'
import { http } from '../node-http.ts'
import type { Shutdown } from './listener.ts'
import type { Fallback } from './serve.ts'

/** Header in which a gateway passes the service token and the client's address. A value sent by the client is never forwarded. */
const header = 'x-svc-handed-on'

/**
 * Headers that are not forwarded: hop-by-hop headers, and `Expect`, which the gateway has already answered. Other headers named in `Connection` are forwarded:
 * otherwise a client could choose which headers reach the pages process.
 */
const notForwarded = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', header])

/** Headers that `Connection` must not name: naming one is an attempt at request smuggling or at impersonating another client. */
const neverInConnection = new Set(['content-length', 'transfer-encoding', 'host', 'cookie', 'authorization'])

const maxConnections = 256
const answerTimeoutMs = 120_000
/** Time limit for receiving a complete request. Short, because request bodies are only forms. */
const arrivalTimeoutMs = 30_000

const hasForbiddenNames = ({ headers }: IncomingMessage): boolean =>
  (headers.connection ?? '').split(',').some((name) => neverInConnection.has(name.trim().toLowerCase()))

/** Returns the raw headers without hop-by-hop headers and those already removed from the parsed headers, such as forwarding headers. */
function endToEnd({ rawHeaders, headers }: IncomingMessage): string[] {
  const kept: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (!notForwarded.has(name.toLowerCase()) && headers[name.toLowerCase()] !== undefined) kept.push(name, rawHeaders[at + 1] ?? '')
  }
  return kept
}

/** Sends a one-sentence response, without involving the pages process. */
function respond(response: ServerResponse, status: 400 | 502 | 503, sentence: string): void {
  // A response that has begun cannot be replaced; cutting it off shows the client that it is incomplete.
  if (response.headersSent) return void response.destroy()
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
  response.writeHead(status, { ...headers, ...(status === 503 ? { 'Retry-After': '2' } : {}) })
  response.end(`${sentence}\n`)
}

const sentences = {
  forbiddenNames: 'The Connection header must not name end-to-end headers.',
  starting: 'The website is restarting. Try again in a few seconds.',
  broken: 'The website did not respond. Try again.',
} as const

/** Error codes for requests to a pages process that is not listening, or that ended during the request. */
const goneCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE'])

/** State of the pages process, updated when that process is restarted. */
export type PagesState = {
  /** Proves to the pages process that a request was proxied by a gateway of this service. */
  readonly token: string
  /** Port of the pages process on this machine; null: it is not listening at the moment. */
  pagesPort: number | null
  /** True once a pages process has listened for the first time; never reset. */
  havePagesListened: boolean
}

/** Proxies requests outside the API to the pages process, which runs Next. Bodies are streamed unchanged. */
export class PagesProxy {
  private readonly state: PagesState
  private readonly log: Log
  private readonly agent = new http.Agent({ keepAlive: true, maxSockets: maxConnections })

  constructor(state: PagesState, log: Log) {
    this.state = state
    this.log = log
  }

  get hasListened(): boolean {
    return this.state.havePagesListened
  }

  readonly handle: Fallback = (request, response, address) => {
    const { token, pagesPort: port } = this.state
    if (port === null) return respond(response, 503, sentences.starting)
    if (hasForbiddenNames(request)) return respond(response, 400, sentences.forbiddenNames)
    const isChunked = request.headers['transfer-encoding'] !== undefined
    // `Via` marks the request as sent from another machine: the forwarding headers, which would also show this, may have been removed.
    const via = isFromThisMachine(address, request) ? [] : ['Via', '1.1 gateway']
    const headers = [...endToEnd(request), ...via, header, `${token} ${address ?? '-'}`, ...(isChunked ? ['Transfer-Encoding', 'chunked'] : [])]
    const target = { host: '127.0.0.1', port, method: request.method ?? 'GET', path: request.url ?? '/', agent: this.agent }
    const sent = http.request({ ...target, headers, timeout: answerTimeoutMs })
    sent.once('timeout', () => sent.destroy(new Error(`The Next.js process did not respond within ${answerTimeoutMs} ms.`)))
    sent.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', endToEnd(answer))
      // If one stream fails, the other is destroyed too, because an error can no longer be sent to the client.
      pipeline(answer, response, () => undefined)
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (response.destroyed || response.writableEnded) return
      const isGone = goneCodes.has(error.code ?? '')
      this.log.warn({ err: error }, 'Failed to proxy a request to the pages process.')
      respond(response, isGone ? 503 : 502, isGone ? sentences.starting : sentences.broken)
    })
    response.once('close', () => {
      if (response.writableFinished && sent.writableFinished) return
      // A request answered before its body was complete would occupy its connection to the pages process for as long as the client keeps sending.
      request.unpipe(sent)
      sent.destroy()
      request.resume()
    })
    // A body sent without a length would be parsed as the next request on that connection.
    if (isChunked || request.headers['content-length'] !== undefined) request.pipe(sent)
    else sent.end()
  }
}

/** Returns the client address passed by a gateway of this service, or undefined for any other sender. Removes the header from the request. */
function addressGiven(request: IncomingMessage, token: string): string | null | undefined {
  const [given = '', address] = String(request.headers[header] ?? '').split(' ')
  delete request.headers[header]
  const [ours, theirs] = [Buffer.from(token), Buffer.from(given)]
  if (theirs.length !== ours.length || !timingSafeEqual(theirs, ours) || address === undefined) return undefined
  return address === '-' ? null : address
}

/** Creates the server of the pages process. It rejects all requests except those from gateways, and those that Next sends to itself after a form submission. */
export function createInnerServer(token: string, pages: Fallback, shutdown: Shutdown): Server {
  // Only the gateways close idle connections. If this process closed one, a gateway could be sending a request on it at that moment.
  return http.createServer({ keepAliveTimeout: 0, requestTimeout: arrivalTimeoutMs, ServerResponse: shutdown.response }, (request, response) => {
    const given = addressGiven(request, token)
    const address = given === undefined ? selfFetchPeer(request)?.address : given
    if (address !== undefined) return pages(request, response, address)
    response.writeHead(403, { 'Content-Type': 'text/plain; charset=utf-8' })
    response.end('This port is only for the gateways of the service.\n')
  })
}

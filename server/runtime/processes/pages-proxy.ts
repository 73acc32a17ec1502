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
 * Hop-by-hop headers, and `Expect`, which the gateway has already answered. Other headers that `Connection` names are kept: otherwise a client could choose
 * which headers the pages see.
 */
const ofOneHop = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', header])

/** Headers that `Connection` must not name: doing so is an attempt at request smuggling or at impersonating another client. */
const neverOfOneHop = new Set(['content-length', 'transfer-encoding', 'host', 'cookie', 'authorization'])

const maxConnections = 256
const answerTimeoutMs = 120_000
/** Time limit for a complete request to arrive at the pages. Their forms are small. */
const arrivedTimeoutMs = 30_000

const misnames = ({ headers }: IncomingMessage): boolean => (headers.connection ?? '').split(',').some((name) => neverOfOneHop.has(name.trim().toLowerCase()))

/** Returns the raw headers without hop-by-hop headers and those already removed from the parsed headers, such as forwarding headers. */
function endToEnd({ rawHeaders, headers }: IncomingMessage): string[] {
  const kept: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (!ofOneHop.has(name.toLowerCase()) && headers[name.toLowerCase()] !== undefined) kept.push(name, rawHeaders[at + 1] ?? '')
  }
  return kept
}

/** Responds with one sentence, without the pages process. */
function sayAway(response: ServerResponse, status: 400 | 502 | 503, sentence: string): void {
  // A response that has begun cannot be replaced; cutting it off shows the client that it is incomplete.
  if (response.headersSent) return void response.destroy()
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
  response.writeHead(status, { ...headers, ...(status === 503 ? { 'Retry-After': '2' } : {}) })
  response.end(`${sentence}\n`)
}

const sentences = {
  misnamed: 'The Connection header must not name end-to-end headers.',
  starting: 'The website is restarting. Try again in a few seconds.',
  broken: 'The website did not respond. Try again.',
} as const

/** Error codes of a pages process that is not listening, or that ended during a request. */
const goneCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE'])

/** Proxies requests outside the API to the pages process of this service, unchanged and streamed. */
export class PagesProxy {
  private listensAt: number | null
  /** True once the pages have listened for the first time; never reset. */
  hasListened: boolean
  private readonly token: string
  private readonly log: Log
  private readonly agent = new http.Agent({ keepAlive: true, maxSockets: maxConnections })

  /** `hasListened`: true if an earlier pages process listened, even if none does now. */
  constructor(token: string, port: number | null, log: Log, hasListened = port !== null) {
    this.token = token
    this.listensAt = port
    this.hasListened = hasListened
    this.log = log
  }

  /** Port of the pages process on this machine; null: it is not listening at the moment. */
  get port(): number | null {
    return this.listensAt
  }

  set port(port: number | null) {
    this.listensAt = port
    this.hasListened ||= port !== null
  }

  readonly handle: Fallback = (request, response, address) => {
    if (this.port === null) return sayAway(response, 503, sentences.starting)
    if (misnames(request)) return sayAway(response, 400, sentences.misnamed)
    const isChunked = request.headers['transfer-encoding'] !== undefined
    // Marks the request as sent from another machine: the forwarding headers, which would also show this, may have been removed.
    const via = isFromThisMachine(address, request) ? [] : ['Via', '1.1 gateway']
    const headers = [...endToEnd(request), ...via, header, `${this.token} ${address ?? '-'}`, ...(isChunked ? ['Transfer-Encoding', 'chunked'] : [])]
    const target = { host: '127.0.0.1', port: this.port, method: request.method ?? 'GET', path: request.url ?? '/', agent: this.agent }
    const sent = http.request({ ...target, headers, timeout: answerTimeoutMs })
    sent.once('timeout', () => sent.destroy(new Error(`The pages did not answer within ${answerTimeoutMs} ms.`)))
    sent.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', endToEnd(answer))
      // If one stream ends early, the other is ended too, because an error can no longer be sent to the client.
      pipeline(answer, response, () => undefined)
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (response.destroyed || response.writableEnded) return
      const isGone = goneCodes.has(error.code ?? '')
      this.log.warn({ err: error }, 'Failed to proxy a request to the pages process.')
      sayAway(response, isGone ? 503 : 502, isGone ? sentences.starting : sentences.broken)
    })
    response.once('close', () => {
      if (response.writableFinished && sent.writableFinished) return
      // A request answered before its body was complete would hold its connection to the pages for as long as the client keeps sending.
      request.unpipe(sent)
      sent.destroy()
      request.resume()
    })
    // Without a length, a body would be parsed as the next request on that connection.
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

/** Accepts requests from the gateways and those that Next sends to itself after a form. Listens on this machine only and rejects all others. */
export function createInnerServer(token: string, pages: Fallback, shutdown: Shutdown): Server {
  // Gateways close connections that they no longer need. If the pages closed one, a gateway could be reusing it at that moment.
  return http.createServer({ keepAliveTimeout: 0, requestTimeout: arrivedTimeoutMs, ServerResponse: shutdown.response }, (request, response) => {
    const given = addressGiven(request, token)
    const address = given === undefined ? selfFetchPeer(request)?.address : given
    if (address !== undefined) return pages(request, response, address)
    response.writeHead(403, { 'Content-Type': 'text/plain; charset=utf-8' })
    response.end('This port is only for the gateways of the service.\n')
  })
}

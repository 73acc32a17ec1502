import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { selfFetchPeer } from '#server/api/http/peer.ts'
import type { Log } from '#server/observability/log.ts'
import { isFromThisMachine } from '../loopback.ts'
import { http } from '../node-http.ts'
import type { Departure } from './departure.ts'
import type { Fallback } from './serve.ts'

/** By what a gateway says who is calling: the token of the service and the address. What a caller writes there is not handed on. */
const header = 'x-svc-handed-on'

/**
 * Headers that are about one connection, and the wish to be told to go on, which was answered here. No others are dropped because `Connection` names them: a
 * caller would decide what the pages see.
 */
const ofOneHop = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', header])

/** Whoever says that these are about one connection wants the request to be read as two, or as that of somebody else. */
const neverOfOneHop = new Set(['content-length', 'transfer-encoding', 'host', 'cookie', 'authorization'])

const mostConnections = 256
const answerWithinMs = 120_000
/** Until then a request has to have arrived at the pages as a whole. Their forms are small. */
const arrivedWithinMs = 30_000

const misnames = ({ headers }: IncomingMessage): boolean => (headers.connection ?? '').split(',').some((name) => neverOfOneHop.has(name.trim().toLowerCase()))

/** Returns the raw headers without those of one connection and those that were removed from the parsed headers, such as forwarding headers. */
function endToEnd({ rawHeaders, headers }: IncomingMessage): string[] {
  const kept: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (!ofOneHop.has(name.toLowerCase()) && headers[name.toLowerCase()] !== undefined) kept.push(name, rawHeaders[at + 1] ?? '')
  }
  return kept
}

/** Answers in the place of the pages, in one sentence. */
function sayAway(response: ServerResponse, status: 400 | 502 | 503, sentence: string): void {
  // What has begun cannot be answered anew; cut off, it is seen to be incomplete.
  if (response.headersSent) return void response.destroy()
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
  response.writeHead(status, { ...headers, ...(status === 503 ? { 'Retry-After': '2' } : {}) })
  response.end(`${sentence}\n`)
}

const sentences = {
  misnamed: 'The Connection header names a header that is not about the connection.',
  starting: 'The pages of this service are being started again. Try again in a few seconds.',
  broken: 'The pages of this service could not answer. Try again.',
} as const

/** Nobody listens there (any more), or who did ended in the middle. */
const goneCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE'])

/** Hands what is not the API to the process of this service that has the pages, as it came and as it arrives. */
export class HandOn {
  private listensAt: number | null
  /** True once the pages listened for the first time, and ever after. */
  hasListened: boolean
  private readonly token: string
  private readonly log: Log
  private readonly agent = new http.Agent({ keepAlive: true, maxSockets: mostConnections })

  /** `hasListened`: true if an earlier process with the pages listened, although none may do so now. */
  constructor(token: string, port: number | null, log: Log, hasListened = port !== null) {
    this.token = token
    this.listensAt = port
    this.hasListened = hasListened
    this.log = log
  }

  /** Port of that process on this machine; null: it does not listen at the moment. */
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
    // The pages could not see any more that a proxy sent it, when its headers were removed.
    const via = isFromThisMachine(address, request) ? [] : ['Via', '1.1 gateway']
    const headers = [...endToEnd(request), ...via, header, `${this.token} ${address ?? '-'}`, ...(isChunked ? ['Transfer-Encoding', 'chunked'] : [])]
    const target = { host: '127.0.0.1', port: this.port, method: request.method ?? 'GET', path: request.url ?? '/', agent: this.agent }
    const sent = http.request({ ...target, headers, timeout: answerWithinMs })
    sent.once('timeout', () => sent.destroy(new Error(`The pages did not answer within ${answerWithinMs} ms.`)))
    sent.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', endToEnd(answer))
      // Whatever ends one of both before its time ends the other; there is nobody left to tell.
      pipeline(answer, response, () => undefined)
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (response.destroyed || response.writableEnded) return
      const isGone = goneCodes.has(error.code ?? '')
      this.log.warn({ err: error }, 'A request could not be handed to the pages.')
      sayAway(response, isGone ? 503 : 502, isGone ? sentences.starting : sentences.broken)
    })
    response.once('close', () => {
      if (response.writableFinished && sent.writableFinished) return
      // Answered before its body was complete, a request would keep its connection to the pages for as long as its sender likes.
      request.unpipe(sent)
      sent.destroy()
      request.resume()
    })
    // Without a length a body would be read as the next request on that connection.
    if (isChunked || request.headers['content-length'] !== undefined) request.pipe(sent)
    else sent.end()
  }
}

/** The address of the caller as a gateway of this service gave it; undefined when the request came from anybody else. Takes the header out of the request. */
function addressGiven(request: IncomingMessage, token: string): string | null | undefined {
  const [given = '', address] = String(request.headers[header] ?? '').split(' ')
  delete request.headers[header]
  const [ours, theirs] = [Buffer.from(token), Buffer.from(given)]
  if (theirs.length !== ours.length || !timingSafeEqual(theirs, ours) || address === undefined) return undefined
  return address === '-' ? null : address
}

/** Receives the requests of the gateways, and those that Next sends itself after a form. Listens on this machine only and answers nobody else. */
export function createInnerServer(token: string, pages: Fallback, departure: Departure): Server {
  // A gateway ends connections that it has no more use for; ended from here, one could go as it is used again.
  return http.createServer({ keepAliveTimeout: 0, requestTimeout: arrivedWithinMs, ServerResponse: departure.response }, (request, response) => {
    const given = addressGiven(request, token)
    const address = given === undefined ? selfFetchPeer(request)?.address : given
    if (address !== undefined) return pages(request, response, address)
    response.writeHead(403, { 'Content-Type': 'text/plain; charset=utf-8' })
    response.end('This port is for the gateways of the service alone.\n')
  })
}

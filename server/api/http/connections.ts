import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Answer, headerPairs } from '#server/api/pipeline/call.ts'
import { getNetwork } from '#server/keys/address-list.ts'
import type { Log } from '#server/observability/log.ts'
import { http } from '#server/runtime/node-http.ts'
import type { ListenerLimits } from './listener-limits.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

/** Latest request on a connection, with its response. */
export type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse }

type OpenConnection = {
  readonly network: string
  /** Pending responses, in request order. The first ones may have been sent since the last check. */
  readonly unsent: ServerResponse[]
  newest: Exchange | null
  isRefused: boolean
  /** Number of bytes that the client had received at the last check. */
  taken: number
  /** Time at which `taken` last changed; null if no data is pending. */
  stalledSince: number | null
}

/** Share of the connection limit above which idle connections are closed to make room for new ones. */
const fullShare = 0.9

/**
 * Tracks a listener's open connections. Limits their number and the concurrent requests on each, and closes connections whose clients do not read their
 * responses. Node enforces the time limits for receiving requests.
 */
export class Connections {
  private readonly limits: ListenerLimits
  private readonly log: Log
  private readonly proxies: TrustedProxies
  private readonly open = new Map<Duplex, OpenConnection>()
  private readonly countByNetwork = new Map<string, number>()

  constructor(limits: ListenerLimits, log: Log, proxies: TrustedProxies) {
    this.limits = limits
    this.log = log
    this.proxies = proxies
  }

  /** Enforces the limits on a server until it closes. */
  watch(server: Server): void {
    server.maxConnections = this.limits.connections
    server.on('connection', (socket: Socket) => this.add(socket))
    server.on('drop', () => this.log.warn({ limit: this.limits.connections }, 'A connection was refused: MAX_CONNECTIONS has been reached.'))
    const timer = setInterval(() => this.check(server), this.limits.checkEveryMs)
    timer.unref()
    server.once('close', () => clearInterval(timer))
  }

  /** Registers a request before it is answered. Returns false if it must not be answered: its connection was rejected or has too many concurrent requests. */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    const connection = this.open.get(request.socket)
    if (connection === undefined) return true
    if (connection.isRefused || this.countPending(connection) >= this.limits.atOnce) return false
    connection.unsent.push(response)
    connection.newest = { request, response }
    return true
  }

  /** Returns true if the connection was rejected. Nothing after a rejected request is parsed, because the start of the next request is unknown. */
  isRefused(socket: Duplex): boolean {
    return this.open.get(socket)?.isRefused === true
  }

  /** Stops answering requests on a connection. It is closed gracefully: any further bytes from the sender are accepted and ignored for `lingerMs`. */
  refuse(socket: Socket): void {
    const connection = this.open.get(socket)
    if (connection) connection.isRefused = true
    // Closing a socket with unread bytes resets the connection, and the sender might never see the response.
    socket.destroySoon = () => {
      if (socket.writable) socket.end()
      setTimeout(() => socket.destroy(), this.limits.lingerMs).unref()
    }
  }

  getNewest(socket: Duplex): Exchange | null {
    return this.open.get(socket)?.newest ?? null
  }

  /** Removes the responses that have been sent, and returns the number of those still pending. */
  private countPending({ unsent }: OpenConnection): number {
    while (unsent[0]?.writableFinished) unsent.shift()
    return unsent.length
  }

  private add(socket: Socket): void {
    const peer = socket.remoteAddress ?? null
    const network = getNetwork(peer)
    const others = this.countByNetwork.get(network) ?? 0
    const maximum = this.limits.connectionsOfOne
    if (maximum !== null && others >= maximum && !this.proxies.includes(peer)) {
      this.log.warn({ address: network, limit: maximum }, 'A connection was refused: its address has reached MAX_CONNECTIONS_PER_ADDRESS.')
      socket.destroy()
      return
    }
    this.countByNetwork.set(network, others + 1)
    this.open.set(socket, { network, unsent: [], newest: null, isRefused: false, taken: 0, stalledSince: null })
    socket.once('close', () => this.remove(socket, network))
  }

  private remove(socket: Socket, network: string): void {
    this.open.delete(socket)
    const left = (this.countByNetwork.get(network) ?? 1) - 1
    if (left === 0) this.countByNetwork.delete(network)
    else this.countByNetwork.set(network, left)
  }

  private check(server: Server): void {
    if (this.open.size >= this.limits.connections * fullShare) server.closeIdleConnections()
    const now = performance.now()
    for (const [socket, connection] of this.open) {
      this.countPending(connection)
      if (this.isStalled(socket as Socket, connection, now)) socket.destroy()
    }
  }

  /** Returns true if the client hasn't read anything for too long. */
  private isStalled(socket: Socket, connection: OpenConnection, now: number): boolean {
    if (socket.writableLength === 0) {
      connection.stalledSince = null
      return false
    }
    const taken = socket.bytesWritten - socket.writableLength
    if (connection.stalledSince === null || taken !== connection.taken) {
      connection.taken = taken
      connection.stalledSince = now
    }
    return now - connection.stalledSince >= this.limits.stalledMs
  }
}

/** Serialises a response for a connection that has no request to respond to. */
function getBytes({ status, headers: flat, body, bytes }: Answer): string {
  const headers = headerPairs(flat).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${headers.join('')}Content-Length: ${bytes}\r\nConnection: close\r\n\r\n${body}`
}

/**
 * Sends an error response to malformed bytes and closes the connection. Earlier requests are answered first; otherwise, the caller would mistake the error for
 * the response to an earlier call, which may have been charged.
 */
export function answerMalformed(socket: Duplex, connections: Connections, answer: () => Answer): void {
  if (!(socket instanceof Socket) || !socket.writable) {
    socket.destroy()
    return
  }
  // Returns early, because Node reports an error for every further chunk of malformed bytes.
  if (connections.isRefused(socket)) return
  connections.refuse(socket)
  const respond = () => {
    if (socket.writable) socket.end(getBytes(answer()))
    socket.destroySoon()
  }
  const newest = connections.getNewest(socket)
  if (newest === null || newest.response.writableFinished) respond()
  else if (newest.request.complete) newest.response.once('finish', respond)
  else if (newest.response.headersSent) socket.destroy()
  // The malformed bytes are in the latest request's body, so this is the response to that request.
  else if (newest.response.socket) respond()
  else newest.response.once('socket', respond)
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { networkOf } from '#server/api/pipeline/address-limit.ts'
import type { Log } from '#server/observability/log.ts'
import type { ListenerLimits } from './listener-limits.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

/** The newest request of a connection, and its answer. */
export type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse }

type Held = {
  readonly network: string
  /** Its answers that are not sent yet, in the order of their requests, which is that in which they are sent; those in front may have been sent since they were looked at. */
  readonly unsent: ServerResponse[]
  newest: Exchange | null
  isRefused: boolean
  /** Bytes that its reader had taken when that was last looked at, and since when they are as many; null: nothing waits for it. */
  taken: number
  stalledSince: number | null
}

/** From this share of the connections on, those that wait for a request of their caller make room for others. */
const fullShare = 0.9

/**
 * The open connections of a listener: how many there may be, how much each may ask for at once, and an end for those that do not read what they asked for.
 * How long requests may take to arrive is looked after by Node.
 */
export class Connections {
  private readonly limits: ListenerLimits
  private readonly log: Log
  private readonly proxies: TrustedProxies
  private readonly held = new Map<Duplex, Held>()
  private readonly ofNetwork = new Map<string, number>()

  constructor(limits: ListenerLimits, log: Log, proxies: TrustedProxies) {
    this.limits = limits
    this.log = log
    this.proxies = proxies
  }

  /** Looks after the connections of a server for as long as it is open. */
  watch(server: Server): void {
    server.maxConnections = this.limits.connections
    server.on('connection', (socket: Socket) => this.take(socket))
    server.on('drop', () => this.log.warn({ limit: this.limits.connections }, 'A connection was refused: MAX_CONNECTIONS are open.'))
    const timer = setInterval(() => this.look(server), this.limits.checkEveryMs)
    timer.unref()
    server.once('close', () => clearInterval(timer))
  }

  /** Notes a request that is going to be answered. False: it may not be, since its connection was refused or asks for too much at once. */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    const held = this.held.get(request.socket)
    if (held === undefined) return true
    if (held.isRefused || this.waiting(held) >= this.limits.atOnce) return false
    held.unsent.push(response)
    held.newest = { request, response }
    return true
  }

  /** Whether a connection was refused. What comes behind a refused request is not looked at: nobody knows where it begins. */
  isRefused(socket: Duplex): boolean {
    return this.held.get(socket)?.isRefused === true
  }

  /** Has a connection answer nothing any more. It is closed gently: what its sender still sends is let through unread for a moment. */
  refuse(socket: Socket): void {
    const held = this.held.get(socket)
    if (held) held.isRefused = true
    // A socket that is closed with bytes unread resets the connection, and the sender may never see the answer.
    socket.destroySoon = () => {
      if (socket.writable) socket.end()
      setTimeout(() => socket.destroy(), this.limits.lingerMs).unref()
    }
  }

  newestOf(socket: Duplex): Exchange | null {
    return this.held.get(socket)?.newest ?? null
  }

  /** How many requests of a connection wait for their answers. Lets go of those that were sent. */
  private waiting({ unsent }: Held): number {
    while (unsent[0]?.writableFinished) unsent.shift()
    return unsent.length
  }

  private take(socket: Socket): void {
    const peer = socket.remoteAddress ?? null
    const network = networkOf(peer)
    const others = this.ofNetwork.get(network) ?? 0
    const most = this.limits.connectionsOfOne
    if (most !== null && others >= most && !this.proxies.includes(peer)) {
      this.log.warn({ address: network, limit: most }, 'A connection was refused: its address has MAX_CONNECTIONS_PER_ADDRESS open.')
      socket.destroy()
      return
    }
    this.ofNetwork.set(network, others + 1)
    this.held.set(socket, { network, unsent: [], newest: null, isRefused: false, taken: 0, stalledSince: null })
    socket.once('close', () => this.leave(socket, network))
  }

  private leave(socket: Socket, network: string): void {
    this.held.delete(socket)
    const left = (this.ofNetwork.get(network) ?? 1) - 1
    if (left === 0) this.ofNetwork.delete(network)
    else this.ofNetwork.set(network, left)
  }

  private look(server: Server): void {
    if (this.held.size >= this.limits.connections * fullShare) server.closeIdleConnections()
    const now = performance.now()
    for (const [socket, held] of this.held) {
      this.waiting(held)
      if (this.isStalled(socket as Socket, held, now)) socket.destroy()
    }
  }

  /** Whether a connection has waited too long for its reader. */
  private isStalled(socket: Socket, held: Held, now: number): boolean {
    if (socket.writableLength === 0) {
      held.stalledSince = null
      return false
    }
    const taken = socket.bytesWritten - socket.writableLength
    if (held.stalledSince === null || taken !== held.taken) {
      held.taken = taken
      held.stalledSince = now
    }
    return now - held.stalledSince >= this.limits.stalledMs
  }
}

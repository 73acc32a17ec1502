import { readFileSync } from 'node:fs'
import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http'
import { createServer, type ListenOptions, Server as NetServer, type Socket } from 'node:net'
import type { ConnectionEnv } from '#server/api/http/listener-limits.ts'
import { getCode } from '#server/db/database-errors.ts'
import type { Health } from '#server/observability/health.ts'
import type { Log } from '#server/observability/log.ts'
import { http } from '../node-http.ts'

export type ListenAt = {
  readonly port: number
  /** Null: loopback, 127.0.0.1 and ::1. */
  readonly host: string | null
  /** If true, the port isn't shared with other workers. */
  readonly exclusive?: boolean
}

/** Error codes for listening on ::1 on a system without IPv6. */
const withoutIpv6 = new Set(['EAFNOSUPPORT', 'EADDRNOTAVAIL'])

/** Thrown if a process cannot listen on its port. */
export class ListenError extends Error {}

/** Exit code of a worker that cannot listen on its port. Such a worker isn't restarted, because it would fail again. */
export const listenErrorCode = 78

/** Starts listening and returns the port. @throws an error that an operator can act on if the port is in use. */
function listenOn(server: NetServer, options: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (cause: NodeJS.ErrnoException) => {
      const isTaken = cause.code === 'EADDRINUSE'
      reject(
        new ListenError(isTaken ? `Port ${options.port} is in use. Stop the program that uses it, or set PORT to another port.` : cause.message, { cause }),
      )
    }
    server.once('error', onError)
    server.listen(options, () => {
      server.off('error', onError)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : Number(options.port))
    })
  })
}

/** Listens on ::1 for a server that listens on 127.0.0.1. Returns null if this system has no IPv6. */
async function listenOnIpv6(server: Server, port: number): Promise<NetServer | null> {
  // Same options as Node's HTTP server. Connections are passed to that server, so its connection tracking includes them.
  const companion = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
  companion.maxConnections = server.maxConnections
  companion.on('drop', (dropped) => server.emit('drop', dropped))
  try {
    await listenOn(companion, { port, host: '::1' })
  } catch (error) {
    if (error instanceof ListenError && withoutIpv6.has(getCode(error.cause))) return null
    throw error
  }
  return companion
}

/** Starts listening. Without a host, listens on loopback in IPv4 and IPv6, so that localhost and 127.0.0.1 both work but no other machine can connect. */
export async function listen(server: Server, { port, host, exclusive = false }: ListenAt): Promise<{ port: number; companions: NetServer[] }> {
  const taken = await listenOn(server, { port, host: host ?? '127.0.0.1', exclusive })
  const companion = host === null ? await listenOnIpv6(server, taken) : null
  return { port: taken, companions: companion === null ? [] : [companion] }
}

/** Returns the URL at which a listening process reaches itself. */
export function getOrigin(host: string | null, port: number): string {
  const isEverywhere = host === null || host === '0.0.0.0' || host === '::'
  return `http://${isEverywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`
}

const sweepEveryMs = 50

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[]

/** Graceful shutdown of a process: completes open calls and closes keep-alive connections without losing a request. */
export class Shutdown {
  /** If true, each response has the header `Connection: close`. */
  isShuttingDown = false
  /** If true, readiness fails, so that load balancers stop sending traffic. */
  isDraining = false
  private readonly open = new Set<Socket>()

  /**
   * Response class for servers that use this shutdown. Decides on keep-alive when the response is written, not when the request arrives: responses already in
   * progress when the shutdown begins must also send `Connection: close`.
   */
  get response(): typeof ServerResponse<IncomingMessage> {
    const isShuttingDown = () => this.isShuttingDown
    return class extends http.ServerResponse<IncomingMessage> {
      override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
        if (isShuttingDown()) this.shouldKeepAlive = false
        return super.writeHead(status, reason as string, headers)
      }
    }
  }

  /** Tracks open connections. Node does not treat a connection that has never sent a request as idle, so it would block a shutdown. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.open.add(socket)
      socket.once('close', () => this.open.delete(socket))
    })
  }

  /** Wraps the health checks: also reports not ready during a drain, and until the portal has started for the first time. */
  over(health: Health, isPortalStarted: () => boolean): Health<object> {
    const notReady = (reason: object) => ({ status: 503, body: { ok: false, ...reason } })
    const ready = async () => {
      if (this.isDraining) return notReady({ draining: true })
      return isPortalStarted() ? health.ready() : notReady({ portal: false })
    }
    return { live: health.live, ready }
  }

  /** Stops accepting connections, closes idle ones, and resolves when all are closed. */
  async close(servers: readonly [Server, ...NetServer[]]): Promise<void> {
    this.isShuttingDown = true
    const [server] = servers
    // Uses the close method of net.Server, because http.Server's would cut off clients that are about to send on an idle connection.
    const closed = Promise.all(servers.map((one) => new Promise<void>((resolve) => void NetServer.prototype.close.call(one, () => resolve()))))
    const sweep = () => {
      server.closeIdleConnections()
      for (const socket of this.open) if (socket.bytesRead === 0) socket.destroy()
    }
    sweep()
    const sweeping = setInterval(sweep, sweepEveryMs)
    await closed
    clearInterval(sweeping)
  }
}

/** File descriptors reserved for everything except clients: database connections, pages, the log, fonts. */
const spare = 256

/** Returns the number of files and connections that this process may have open, or null if the system does not report it. */
function maxOpenFiles(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? null : Number(soft)
  } catch {
    // Only Linux has this file. Elsewhere the configured number is used unchecked.
    return null
  }
}

/** Caps the number of connections at the system's limit, because a process that has run out of file descriptors could not reach its database either. */
export function withinOpenFiles(given: ConnectionEnv, log: Log, most = maxOpenFiles()): ConnectionEnv {
  if (most === null || given.connections <= most - spare) return given
  const connections = Math.max(1, most - spare)
  log.warn({ asked: given.connections, connections }, 'MAX_CONNECTIONS exceeds the open-file limit of this process (ulimit -n). Using a lower value.')
  return { ...given, connections }
}

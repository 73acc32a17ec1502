import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Health } from '#server/observability/health.ts'
import { http } from '../node-http.ts'

const sweepEveryMs = 50

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[]

/** Graceful shutdown of a process: completes open calls and closes keep-alive connections without losing a request. */
export class Shutdown {
  /** If true, each response announces that its connection closes. */
  isShuttingDown = false
  /** If true, readiness fails, so that load balancers stop sending traffic. */
  isDraining = false
  private readonly open = new Set<Socket>()

  /**
   * Response class for servers that use this shutdown. Keep-alive is decided when the response is written, not when the request arrives: responses already
   * in progress when the shutdown begins must announce the close too.
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

  /** Tracks open connections. Node does not treat connections without any request as idle, so they would block a shutdown. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.open.add(socket)
      socket.once('close', () => this.open.delete(socket))
    })
  }

  /** Wraps the health checks: not ready during a drain, or until the portal has served for the first time. */
  over(health: Health, isPortalStarted: () => boolean): Health<object> {
    const notReady = (reason: object) => ({ status: 503, body: { ok: false, ...reason } })
    const ready = async () => {
      if (this.isDraining) return notReady({ draining: true })
      return isPortalStarted() ? health.ready() : notReady({ portal: false })
    }
    return { live: health.live, ready }
  }

  /** Stops accepting connections, gives keep-alive connections `lingerMs` to learn of the close from a response, and resolves when all are closed. */
  async close(servers: readonly [Server, ...NetServer[]], lingerMs: number): Promise<void> {
    this.isShuttingDown = true
    const [server] = servers
    // Uses the close method of net.Server: the one of http.Server would cut off clients that are about to send on an idle connection.
    const closed = Promise.all(servers.map((one) => new Promise<void>((resolve) => void NetServer.prototype.close.call(one, () => resolve()))))
    const lingering = new AbortController()
    await Promise.race([closed, sleep(lingerMs, undefined, { signal: lingering.signal }).catch(() => undefined)])
    lingering.abort()
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

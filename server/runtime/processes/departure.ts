import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Health } from '#server/observability/health.ts'
import { http } from '../node-http.ts'

const sweepEveryMs = 50

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[]

/** How far a process is on its way out, and the way itself: nobody's call is cut off, and nobody is left waiting on a connection that ends. */
export class Departure {
  /** From now on each answer says that its connection ends with it. */
  isLeaving = false
  /** From now on a load balancer is told to send nobody here. */
  isDraining = false
  private readonly open = new Set<Socket>()

  /**
   * Answers as this departure wants them. Whether a connection ends is decided when its answer is written, not when its request came: an answer that was
   * under way as the process began to leave has to say so as well.
   */
  get response(): typeof ServerResponse<IncomingMessage> {
    const isLeaving = () => this.isLeaving
    return class extends http.ServerResponse<IncomingMessage> {
      override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
        if (isLeaving()) this.shouldKeepAlive = false
        return super.writeHead(status, reason as string, headers)
      }
    }
  }

  /** Remembers who is connected. Connections on which nothing was ever said are not idle to Node, and would hold a process that leaves. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.open.add(socket)
      socket.once('close', () => this.open.delete(socket))
    })
  }

  /** Health of the process: not ready while it drains, or before the portal serves for the first time, whatever its parts say. */
  over(health: Health, isPortalStarted: () => boolean): Health<object> {
    const notReady = (reason: object) => ({ status: 503, body: { ok: false, ...reason } })
    const ready = async () => {
      if (this.isDraining) return notReady({ draining: true })
      return isPortalStarted() ? health.ready() : notReady({ portal: false })
    }
    return { live: health.live, ready }
  }

  /** Takes no new connections, gives those that are kept `lingerMs` to hear of it with an answer, and resolves when the last one is gone. */
  async close(servers: readonly [Server, ...NetServer[]], lingerMs: number): Promise<void> {
    this.isLeaving = true
    const [server] = servers
    // As every server is closed, not as Node closes those of HTTP: that would cut off who is about to send on an idle connection.
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

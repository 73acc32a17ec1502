import { randomBytes } from 'node:crypto'
import type { Env } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'
import { reachOthers } from './ask-all.ts'
import { PagesProxy } from './pages-proxy.ts'
import { askWorkers, startWorker } from './worker-pool.ts'
import { WorkerSlot } from './worker-slot.ts'

const endTimeoutMs = 4_000

/** Returns true if the portal gets a separate process. Not in development: hot reload needs a single process for all requests. */
export const hasPortalProcess = ({ roles, isDevelopment }: Env): boolean => roles.has('gateway') && roles.has('portal') && !isDevelopment

/**
 * Runs the portal in a worker process, so that rendering pages never blocks the event loop that answers API calls. The worker is restarted if it ends, and
 * shuts down if this process is gone.
 */
export class PortalProcess {
  readonly pages: PagesProxy
  private readonly post: WorkerSlot
  private readonly port = Promise.withResolvers<number>()

  constructor(databaseUrl: string, secret: string, log: Log) {
    const token = randomBytes(32).toString('hex')
    this.pages = new PagesProxy(token, null, log)
    const assignment = async () =>
      ({ part: 'portal', databaseUrl, secret, token, port: await this.port.promise, pagesPort: null, pagesListened: false }) as const
    this.post = new WorkerSlot(
      'portal',
      () => startWorker(assignment),
      log,
      async (port) => {
        this.pages.port = port
      },
    )
    reachOthers((question, detail, withinMs) => askWorkers(question, detail, withinMs))
  }

  /** Rejects if the portal cannot be kept running. */
  get lost(): Promise<never> {
    return this.post.lost
  }

  /** Starts the worker, which serves once `listensAt` has been called. Resolves when it serves. */
  start(): Promise<number> {
    return this.post.fill()
  }

  /** Sets the port of the service. */
  listensAt(port: number): void {
    this.port.resolve(port)
  }

  close(): Promise<void> {
    return this.post.end({ drainMs: null, lingerMs: 0, withinMs: endTimeoutMs })
  }

  kill(): void {
    this.post.kill()
  }
}

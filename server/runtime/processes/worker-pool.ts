import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Role } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'
import { listenErrorCode } from './listener.ts'
import type { PagesState } from './pages-proxy.ts'

/** State shared by a service's processes. Workers get it from the primary, so that their environment contains no secrets. */
export type ServiceState = PagesState & { readonly databaseUrl: string; readonly secret: string; port: number }

/** Messages between the primary and its workers. `setup` is sent first, and again whenever the state changes. Messages from libraries have no `svc`. */
export type WorkerMessage =
  | { readonly svc: 'setup'; readonly roles: readonly Role[]; readonly state: ServiceState }
  | { readonly svc: 'serving'; readonly port: number }
  | { readonly svc: 'shutdown' }

const pauseMs = { first: 100, max: 10_000 } as const
/** Uptime after which a worker counts as stable: when it next exits, the exit count starts again at one. */
const stableAfterMs = 30_000
const maxFailedStarts = 5
const stopTimeoutsMs = { gateway: 10_000, other: 4_000 } as const

function send(worker: Worker, message: WorkerMessage): void {
  // Skips a worker that is already ending: its exit event follows.
  if (worker.isConnected()) worker.send(message, undefined, undefined, () => undefined)
}

/**
 * Limits the memory pools of the C library (glibc), which otherwise creates one per thread. A process that renders pages then uses some 10 MB less. Processes that
 * answer calls keep the default.
 */
const fewArenas = { MALLOC_ARENA_MAX: '2' }

/** Size of V8's space for new objects in a process that renders pages, in MB. The default of 16 takes some 5 MB more when idle. */
const smallNewSpace = '--max-semi-space-size=4'

/** Worker processes of a service. A worker that exits is replaced. */
export class Workers {
  private readonly state: ServiceState
  private readonly log: Log
  private readonly running = new Map<Worker, readonly Role[]>()
  private readonly stopping = new AbortController()
  /** Rejects if a worker cannot be kept running. */
  readonly lost = Promise.withResolvers<never>()

  constructor(state: ServiceState, log: Log) {
    this.state = state
    this.log = log
    // Prevents an unhandled rejection: the service awaits this promise only once it has started.
    this.lost.promise.catch(() => undefined)
  }

  /** Starts a worker and keeps it running. Resolves with its port once it serves requests. */
  start(roles: readonly Role[]): Promise<number> {
    return new Promise((resolve, reject) => {
      this.keepRunning(roles, resolve).catch((error: unknown) => {
        reject(error)
        this.lost.reject(error)
      })
    })
  }

  private async keepRunning(roles: readonly Role[], onServing: (port: number) => void): Promise<void> {
    const part = roles.join()
    let [exits, hasServed] = [0, false]
    while (!this.stopping.signal.aborted) {
      const { wasServing, uptimeMs, ...exit } = await this.run(roles, onServing)
      if (this.stopping.signal.aborted) return
      hasServed ||= wasServing
      exits = uptimeMs > stableAfterMs ? 1 : exits + 1
      // A worker that has served requests is restarted without limit, because even without pages the service still answers API calls.
      if (exit.code === listenErrorCode || (!hasServed && exits === maxFailedStarts))
        throw new Error(`The ${part} process could not start (failed attempts: ${exits}). The log lines above give the reason.`)
      const againInMs = Math.min(pauseMs.first * 2 ** (exits - 1), pauseMs.max)
      const message = wasServing ? 'A service process ended unexpectedly. Restarting it.' : 'A service process failed to start. Retrying.'
      this.log.error({ part, ...exit, againInMs }, message)
      await sleep(againInMs, undefined, { signal: this.stopping.signal }).catch(() => undefined)
    }
  }

  /** Runs a worker until it exits. */
  private async run(roles: readonly Role[], onServing: (port: number) => void) {
    const startedAt = performance.now()
    let wasServing = false
    // The primary has migrated the database, so workers do not need the credentials of the role that owns the tables.
    const rendersPages = !roles.includes('gateway')
    cluster.setupPrimary({ execArgv: rendersPages ? [...process.execArgv, smallNewSpace] : process.execArgv })
    const worker = cluster.fork({ DATABASE_MIGRATION_URL: '', ...(rendersPages ? fewArenas : {}) })
    this.running.set(worker, roles)
    worker.on('message', (message: WorkerMessage | null) => {
      if (message?.svc !== 'serving') return
      wasServing = true
      if (rendersPages) this.movePages(message.port)
      onServing(message.port)
    })
    send(worker, { svc: 'setup', roles, state: this.state })
    const [code, signal] = (await once(worker, 'exit')) as [number | null, string | null]
    this.running.delete(worker)
    if (!roles.includes('gateway')) this.movePages(null)
    return { wasServing, uptimeMs: performance.now() - startedAt, workerPid: worker.process.pid, code, signal }
  }

  /** Sends the port of the pages process to the gateways; null: it is not listening. */
  private movePages(port: number | null): void {
    this.state.pagesPort = port
    this.state.havePagesListened ||= port !== null
    for (const [worker, roles] of this.running) send(worker, { svc: 'setup', roles, state: this.state })
  }

  /** Shuts the workers down, gateways first, because clients may request pages through a gateway until the last one has exited. */
  async stop(drainSeconds = 0, forceExit?: AbortSignal): Promise<void> {
    this.stopping.abort()
    for (const isGateway of [true, false]) {
      const group = [...this.running].flatMap(([worker, roles]) => (roles.includes('gateway') === isGateway ? [worker] : []))
      const shutDown = () => {
        for (const worker of group) send(worker, { svc: 'shutdown' })
      }
      shutDown()
      // On the second message, a worker skips the rest of its drain.
      forceExit?.addEventListener('abort', shutDown)
      const killing = setTimeout(() => this.kill(group), isGateway ? drainSeconds * 1_000 + stopTimeoutsMs.gateway : stopTimeoutsMs.other)
      await Promise.all(group.map((worker) => once(worker, 'exit')))
      clearTimeout(killing)
    }
  }

  /** Kills all workers immediately and starts no new ones. */
  kill(workers: Iterable<Worker> = this.running.keys()): void {
    this.stopping.abort()
    for (const worker of workers) worker.process.kill('SIGKILL')
  }
}

import { randomBytes } from 'node:crypto'
import type { Env } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'
import type { ServiceDatabase } from '../database.ts'
import { releaseHere } from '../release.ts'
import { getSecret } from '../secret.ts'
import { onEndSignals, stopTimeoutMs } from './end-signals.ts'
import { type Assignment, type Part, pagesMoved, reachOthers, type ShutdownOptions } from './messages.ts'
import { withDatabase } from './own-database.ts'
import { askWorkers, startWorker } from './worker-pool.ts'
import { WorkerSlot } from './worker-slot.ts'

const notifyTimeoutMs = 2_000
/** Shutdown timeout of the gateways. Shorter than the total, because the pages process shuts down after them. */
const gatewaysTimeoutMs = 10_000
const restTimeoutMs = 4_000
/** Time during a replacement in which a keep-alive connection can send one more request. Its response announces that the connection closes. */
const lingerMs = 2_000
const replacing: ShutdownOptions = { drainMs: null, lingerMs, withinMs: stopTimeoutMs }

/** Starts, replaces and shuts down the worker processes of a service. */
class Supervised {
  private readonly env: Env
  private readonly log: Log
  private readonly database: ServiceDatabase
  private readonly gateways: WorkerSlot[]
  private readonly rest: WorkerSlot | null
  private readonly assigned: Pick<Assignment, 'databaseUrl' | 'secret' | 'token'>
  private port: number
  private pagesPort: number | null = null
  private pagesListened = false
  private isBusy = false

  constructor(env: Env, log: Log, database: ServiceDatabase, secret: string) {
    this.env = env
    this.log = log
    this.database = database
    this.port = env.port
    this.assigned = { databaseUrl: database.url, secret, token: randomBytes(32).toString('hex') }
    const startPart = (part: Part) => () => startWorker(() => this.assignmentFor(part))
    this.gateways = Array.from({ length: env.gatewayProcesses }, () => new WorkerSlot('gateway', startPart('gateway'), log))
    const hasRest = [...env.roles].some((role) => role !== 'gateway')
    this.rest = hasRest ? new WorkerSlot('portal and jobs process', startPart('rest'), log, (port) => this.notifyOfPages(port)) : null
  }

  private get slots(): WorkerSlot[] {
    return this.rest ? [...this.gateways, this.rest] : this.gateways
  }

  private assignmentFor(part: Part): Assignment {
    const { port, pagesPort, pagesListened } = this
    return { ...this.assigned, part, port, pagesPort, pagesListened }
  }

  private async notifyOfPages(port: number | null): Promise<void> {
    this.pagesPort = port
    this.pagesListened ||= port !== null
    await askWorkers(pagesMoved, port, notifyTimeoutMs)
  }

  /** Starts all processes. Resolves with the port once all of them serve. */
  async start(): Promise<number> {
    const [first, ...others] = this.slots
    // The other processes need the port of the service. With PORT=0, it is known only once the first one listens.
    this.port = (await first?.fill()) ?? this.port
    await Promise.all(others.map((slot) => slot.fill()))
    return this.port
  }

  /** Rejects if a process cannot be kept running. */
  get lost(): Promise<never> {
    return Promise.race(this.slots.map((slot) => slot.lost))
  }

  /** Replaces the processes one by one, without failed calls. */
  async replaceAll(): Promise<void> {
    if (this.isBusy) return this.log.warn('A restart is already in progress. SIGHUP ignored.')
    this.isBusy = true
    this.log.info('Replacing the processes of the service one by one.')
    try {
      for (const slot of this.slots) await slot.replace(replacing)
      this.log.info('Replaced all processes of the service.')
    } catch (error) {
      this.log.error({ err: error }, 'Failed to replace all processes. The old ones that remain keep running.')
    } finally {
      this.isBusy = false
    }
  }

  /** Shuts down all processes, gateways first: until the last gateway has ended, clients may request pages from it. */
  async end(forceExit?: AbortSignal): Promise<void> {
    const drainMs = this.env.drainSeconds * 1_000
    const forced = setTimeout(() => {
      this.log.error('The shutdown timed out. Exiting immediately.')
      this.kill()
      process.exit(1)
    }, drainMs + stopTimeoutMs)
    forceExit?.addEventListener('abort', () => {
      for (const slot of this.gateways) slot.forceExit()
    })
    await Promise.all(this.gateways.map((slot) => slot.end({ drainMs, lingerMs: 0, withinMs: gatewaysTimeoutMs })))
    await this.rest?.end({ drainMs: null, lingerMs: 0, withinMs: restTimeoutMs })
    await this.database.close()
    clearTimeout(forced)
  }

  kill(): void {
    for (const slot of this.slots) slot.kill()
  }
}

/** Opens and prepares the database once, starts the processes of the service, keeps them running, and shuts them down. */
export async function supervise(env: Env, log: Log): Promise<void> {
  const supervised = await withDatabase(env, log, async (database, { demonstration }) => {
    const service = new Supervised(env, log, database, await getSecret(env))
    reachOthers((question, detail, withinMs) => askWorkers(question, detail, withinMs))
    try {
      const port = await service.start()
      process.on('SIGHUP', () => void service.replaceAll())
      log.info({ port, roles: [...env.roles], gateways: env.gatewayProcesses, release: await releaseHere() }, 'Serving.')
    } catch (error) {
      service.kill()
      throw error
    }
    if (env.developmentFeatures) (await import('../demo-account.ts')).announce(env, await getSecret(env), demonstration)
    return service
  })
  onEndSignals((forceExit) => supervised.end(forceExit), log)
  try {
    await supervised.lost
  } catch (error) {
    await supervised.end()
    throw error
  }
}

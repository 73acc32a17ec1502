import { randomBytes } from 'node:crypto'
import type { Env } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'
import type { ServiceDatabase } from '../database.ts'
import { releaseHere } from '../release.ts'
import { getSecret } from '../secret.ts'
import { onEndSignals, stopTimeoutMs } from './end-signals.ts'
import { reachOthers, type ShutdownOptions } from './messages.ts'
import { withDatabase } from './own-database.ts'
import { PagesProxy } from './pages-proxy.ts'
import { drain, publicEntry, type Running, serve } from './serve.ts'
import { askWorkers, startWorker } from './worker-pool.ts'
import { WorkerSlot } from './worker-slot.ts'

const endTimeoutMs = 4_000

/** Returns true if the portal gets a separate process. Not in development: hot reload needs a single process for all requests. */
const hasPortalProcess = ({ roles, isDevelopment }: Env): boolean => roles.has('gateway') && roles.has('portal') && !isDevelopment

/**
 * Runs the portal in a worker process, so that rendering pages never blocks the event loop that answers API calls. The worker is restarted if it ends, and
 * shuts down if this process is gone.
 */
class PortalProcess {
  readonly pages: PagesProxy
  private readonly slot: WorkerSlot
  private readonly port = Promise.withResolvers<number>()

  constructor(databaseUrl: string, secret: string, log: Log) {
    const token = randomBytes(32).toString('hex')
    this.pages = new PagesProxy(token, null, log)
    const assignment = async () =>
      ({ part: 'portal', databaseUrl, secret, token, port: await this.port.promise, pagesPort: null, pagesListened: false }) as const
    this.slot = new WorkerSlot(
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
    return this.slot.lost
  }

  /** Starts the worker. It begins to serve after `listensAt` has been called, and the promise then resolves. */
  start(): Promise<number> {
    return this.slot.fill()
  }

  /** Sets the port of the service. */
  listensAt(port: number): void {
    this.port.resolve(port)
  }

  close(): Promise<void> {
    return this.slot.end({ drainMs: null, lingerMs: 0, withinMs: endTimeoutMs })
  }

  kill(): void {
    this.slot.kill()
  }
}

/** Handles SIGHUP. In a terminal it means that the terminal was closed, so the service shuts down. Elsewhere it requests a reload, which is ignored. */
function onHangUp(log: Log): void {
  process.on('SIGHUP', () => {
    if (process.stdin.isTTY) process.kill(process.pid, 'SIGTERM')
    else log.warn('SIGHUP ignored: it replaces processes only if GATEWAY_PROCESSES is 2 or more. Restart the service to load a new release.')
  })
}

/** Starts the service in this process and the portal in another. If either fails to start, both are stopped. */
async function serveWithPortalProcess(env: Env, log: Log, database: ServiceDatabase): Promise<{ running: Running; lost: Promise<never> }> {
  const portal = new PortalProcess(database.url, await getSecret(env), log)
  try {
    const started = portal.start()
    // Prevents an unhandled rejection: the promise is awaited below.
    started.catch(() => undefined)
    const roles = new Set([...env.roles].filter((role) => role !== 'portal'))
    const running = await serve({ ...env, roles }, log, database, publicEntry(env, log, portal.pages))
    portal.listensAt(running.port)
    await started
    return { running: { ...running, portal }, lost: portal.lost }
  } catch (error) {
    portal.kill()
    throw error
  }
}

/** Runs all configured roles in this process until a signal ends it. A portal that runs alongside a gateway usually gets a separate process. */
export async function runAlone(env: Env, log: Log): Promise<void> {
  // Must be in place before the log says that the service is running, because SIGHUP may follow immediately.
  onHangUp(log)
  const { running, lost } = await withDatabase(env, log, async (database, { demonstration }) => {
    const started = hasPortalProcess(env)
      ? await serveWithPortalProcess(env, log, database)
      : { running: await serve(env, log, database, publicEntry(env, log)), lost: null }
    log.info({ port: started.running.port, roles: [...env.roles], release: await releaseHere() }, 'Serving.')
    if (env.developmentFeatures) (await import('../demo-account.ts')).announce(env, await getSecret(env), demonstration)
    return started
  })
  const how: ShutdownOptions = { drainMs: env.drainSeconds * 1_000, lingerMs: 0, withinMs: stopTimeoutMs }
  onEndSignals((forceExit) => drain(running, log, how, forceExit), log)
  await lost?.catch(async (error: unknown) => {
    await drain(running, log, { ...how, drainMs: null })
    throw error
  })
}

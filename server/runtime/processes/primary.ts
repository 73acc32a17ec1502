import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Env, Role } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'
import { openMetricsChannel } from '#server/observability/process-metrics.ts'
import type { ServiceDatabase } from '../database.ts'
import { releaseHere } from '../release.ts'
import { getSecret } from '../secret.ts'
import { withDatabase } from './own-database.ts'
import { PagesProxy } from './pages-proxy.ts'
import { drain, publicEntry, serve } from './serve.ts'
import { exitAfter, stopTimeoutMs } from './shutdown.ts'
import { type ServiceState, Workers } from './worker-pool.ts'

/**
 * Returns the roles that the primary runs itself, and the roles of each worker. With several gateway processes, the primary runs none itself, and the worker
 * list leaves out one gateway, because the caller starts it separately to learn the port.
 */
function assignRoles({ roles, isDevelopment, gatewayProcesses }: Env): { own: Set<Role>; forked: Role[][] } {
  const others = [...roles].filter((role) => role !== 'gateway')
  const moreGateways = Array.from({ length: gatewayProcesses - 1 }, (): Role[] => ['gateway'])
  if (gatewayProcesses > 1) return { own: new Set(), forked: [...moreGateways, ...(others.length > 0 ? [others] : [])] }
  // Rendering pages must never block the event loop that answers API calls. In development, hot reload needs a single process for all requests.
  const isPortalForked = roles.has('gateway') && roles.has('portal') && !isDevelopment
  return isPortalForked ? { own: new Set([...roles].filter((role) => role !== 'portal')), forked: [['portal']] } : { own: new Set(roles), forked: [] }
}

/** Starts the service in this process and its workers. If anything fails to start, kills the workers. */
async function start(env: Env, log: Log, database: ServiceDatabase) {
  const { own, forked } = assignRoles(env)
  const token = randomBytes(32).toString('hex')
  const state: ServiceState = { databaseUrl: database.url, secret: await getSecret(env), token, port: env.port, pagesPort: null, havePagesListened: false }
  const workers = new Workers(state, log)
  const startForked = () => Promise.all(forked.map((roles) => workers.start(roles)))
  const pages = forked.length > 0 && env.roles.has('portal') ? new PagesProxy(state, log) : undefined
  openMetricsChannel()
  try {
    // Workers need the port of the service. With PORT=0, it is known only once a gateway listens.
    const early = env.port === 0 ? null : startForked()
    // Prevents an unhandled rejection: the promise is awaited below.
    early?.catch(() => undefined)
    const running = own.size > 0 ? await serve({ ...env, roles: own }, log, database, publicEntry(env, log, pages)) : null
    state.port = running?.port ?? (await workers.start(['gateway']))
    await (early ?? startForked())
    const stop = async (forceExit?: AbortSignal) => {
      if (running) return drain({ ...running, portal: running.portal ?? { close: () => workers.stop() } }, log, env.drainSeconds, forceExit)
      await workers.stop(env.drainSeconds, forceExit)
      await database.close()
    }
    return { port: state.port, lost: workers.lost.promise, stop }
  } catch (error) {
    workers.kill()
    throw error
  }
}

/** Prepares the database, starts the service, and shuts it down on SIGTERM or SIGINT, or if a worker cannot be kept running. */
export async function runPrimary(env: Env, log: Log): Promise<void> {
  process.on('SIGHUP', () => {
    // On a terminal, SIGHUP means that it was closed. Elsewhere, it requests a reload.
    if (process.stdin.isTTY) process.kill(process.pid, 'SIGTERM')
    else log.warn('SIGHUP ignored. Restart the service to load a new release.')
  })
  const service = await withDatabase(env, log, async (database, { demonstration }) => {
    const started = await start(env, log, database)
    log.info({ port: started.port, roles: [...env.roles], release: await releaseHere() }, 'Serving.')
    if (env.developmentFeatures) (await import('../demo-account.ts')).announce(env, await getSecret(env), demonstration)
    return started
  })
  const shutDown = exitAfter(service.stop, env.drainSeconds, log)
  const onSignal = (signal: NodeJS.Signals) => {
    log.info({ signal }, 'Shutting down: completing requests in progress.')
    shutDown()
  }
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  await service.lost.catch(async (error: unknown) => {
    await Promise.race([service.stop(), sleep(env.drainSeconds * 1_000 + stopTimeoutMs)])
    throw error
  })
}

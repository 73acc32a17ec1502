import cluster from 'node:cluster'
import { setPriority } from 'node:os'
import type { Env, Role } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'
import { openMetricsChannel } from '#server/observability/process-metrics.ts'
import { getOrigin } from './listener.ts'
import { openOwnDatabase } from './own-database.ts'
import { createInnerServer, PagesProxy } from './pages-proxy.ts'
import { drain, type Entry, publicEntry, type Running, serve } from './serve.ts'
import { exitAfter } from './shutdown.ts'
import type { ServiceState, WorkerMessage } from './worker-pool.ts'

function getEntry(env: Env, state: ServiceState, hasPages: boolean, log: Log): Entry {
  if (env.roles.has('gateway')) return publicEntry(env, log, hasPages ? new PagesProxy(state, log) : undefined)
  const open: Entry['open'] = (_service, portal, shutdown) =>
    createInnerServer(state.token, portal?.handle ?? ((_request, response) => response.destroy()), shutdown)
  // Uses its own port instead of the cluster's shared one: the primary would accept the connections and, if this worker were killed, keep them open for ever.
  return { open, at: { port: 0, host: '127.0.0.1', exclusive: true }, origin: getOrigin(env.host, state.port) }
}

async function start(env: Env, state: ServiceState, roles: readonly Role[], log: Log): Promise<Running> {
  const own: Env = { ...env, roles: new Set(roles), databaseUrl: state.databaseUrl, secret: state.secret }
  return serve(own, log, await openOwnDatabase(own, log), getEntry(own, state, env.roles.has('portal'), log))
}

/** Runs the roles that the primary assigns to this worker, until the primary exits or tells the worker to shut down. */
export async function runWorker(env: Env, log: Log): Promise<void> {
  // A terminal sends its signals to all processes of the service. Only the primary acts on them.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  const state = {} as ServiceState
  const assigned = Promise.withResolvers<readonly Role[]>()
  const running = assigned.promise.then((roles) => start(env, state, roles, log))
  const stop = async (forceExit: AbortSignal) => {
    const drainSeconds = (await assigned.promise).includes('gateway') ? env.drainSeconds : 0
    await drain(await running, log, drainSeconds, forceExit)
  }
  const shutDown = exitAfter(stop, env.drainSeconds, log)
  process.on('message', (message: WorkerMessage | null) => {
    if (message?.svc === 'shutdown') shutDown()
    if (message?.svc !== 'setup') return
    Object.assign(state, message.state)
    assigned.resolve(message.roles)
  })
  openMetricsChannel()
  const { port, portal } = await running
  cluster.worker?.once('disconnect', () => {
    // Without this, Node would exit here and drop every call in progress.
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
    log.error('The primary process has ended. Completing requests in progress, then exiting.')
    shutDown(true)
  })
  // Gives API calls priority over pages if there is not enough CPU for both.
  if (portal !== null) setPriority(env.portalNiceness)
  const serving: WorkerMessage = { svc: 'serving', port }
  process.send?.(serving, undefined, undefined, () => undefined)
}

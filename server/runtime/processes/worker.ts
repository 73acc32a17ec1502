import cluster from 'node:cluster'
import { setPriority } from 'node:os'
import type { Env, Role } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'
import { getOrigin } from './listener.ts'
import { type Assignment, answerTo, getMessage, type Message, notifyFirst, pagesMoved, type ShutdownOptions } from './messages.ts'
import { openOwnDatabase } from './own-database.ts'
import { createInnerServer, PagesProxy } from './pages-proxy.ts'
import { drain, type Entry, publicEntry, type Running, serve } from './serve.ts'
import { joinWorkerPool } from './worker-pool.ts'

const assignTimeoutMs = 30_000

/** Shutdown options for a worker whose primary process has ended: no drain, because nothing replaces the worker. */
const orphaned: ShutdownOptions = { drainMs: null, lingerMs: 0, withinMs: 15_000 }

/** Requests the assignment from the process that started this one. */
function assigned(): Promise<Assignment> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The primary process did not assign a role within ${assignTimeoutMs} ms.`)), assignTimeoutMs)
    const onMessage = (received: unknown) => {
      const message = getMessage(received)
      if (message?.svc !== 'assignment') return
      clearTimeout(timer)
      process.off('message', onMessage)
      resolve(message.assignment)
    }
    process.on('message', onMessage)
    process.once('disconnect', () => reject(new Error('The primary process has ended.')))
    notifyFirst({ svc: 'hello' })
  })
}

function getEntry({ part, token, port, pagesPort, pagesListened }: Assignment, env: Env, log: Log): Entry {
  const origin = getOrigin(env.host, port)
  if (part !== 'gateway') {
    const open: Entry['open'] = (_service, portal, shutdown) =>
      createInnerServer(token, portal?.handle ?? ((_request, response) => response.destroy()), shutdown)
    // A separate port, not shared with other workers.
    return { open, at: { port: 0, host: '127.0.0.1', exclusive: true }, origin }
  }
  if (!env.roles.has('portal')) return publicEntry(env, log)
  const pages = new PagesProxy(token, pagesPort, log, pagesListened)
  answerTo(pagesMoved, (now) => {
    pages.port = typeof now === 'number' ? now : null
    return null
  })
  return publicEntry(env, log, pages)
}

const getRoles = (part: Assignment['part'], roles: Env['roles']): Set<Role> =>
  part === 'rest' ? new Set([...roles].filter((role) => role !== 'gateway')) : new Set([part])

async function start(assignment: Assignment, env: Env, log: Log): Promise<Running> {
  const { part, databaseUrl, secret } = assignment
  const entry = getEntry(assignment, env, log)
  const own: Env = { ...env, roles: getRoles(part, env.roles), databaseUrl, secret }
  return serve(own, log, await openOwnDatabase(own, log), entry)
}

/** Shuts down if the primary process requests it or ends. */
function obey(running: Promise<Running>, log: Log): void {
  const forceExit = new AbortController()
  let isShuttingDown = false
  const end = (how: ShutdownOptions) => {
    if (isShuttingDown) return
    isShuttingDown = true
    running
      .then((all) => drain(all, log, how, forceExit.signal))
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'The shutdown failed.')
          process.exit(1)
        },
      )
  }
  process.on('message', (received) => {
    const message = getMessage(received)
    if (message?.svc === 'leave') end(message.how)
    if (message?.svc === 'hurry') forceExit.abort()
  })
  cluster.worker?.once('disconnect', () => {
    // Without this, Node would exit here and drop every call in progress.
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
    log.error('The primary process has ended. Completing requests in progress, then exiting.')
    end(orphaned)
  })
}

/** Runs one part of a service in this worker process. */
export async function runWorker(env: Env, log: Log): Promise<void> {
  // A terminal sends its signals to all processes; the primary process decides when each one shuts down.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  joinWorkerPool()
  const running = assigned().then((assignment) => start(assignment, env, log))
  obey(running, log)
  try {
    const { port, portal } = await running
    // Gives API calls priority over pages if there is not enough CPU for both.
    if (portal !== null) setPriority(env.portalNiceness)
    notifyFirst({ svc: 'ready', port })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const isFinal = error instanceof Error && ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL'].includes((error.cause as NodeJS.ErrnoException | undefined)?.code ?? '')
    process.send?.({ svc: 'failed', reason, isFinal } satisfies Message, undefined, undefined, () => process.exit(1))
  }
}

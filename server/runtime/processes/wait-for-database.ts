import type { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { mayWorkLater, reachDatabase } from '#server/db/reach-database.ts'
import type { Env } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'
import { listen } from './listen.ts'

const firstPauseMs = 200
const longestPauseMs = 5_000
const logEveryMs = 60_000

/** Exits on a signal while there is nothing to shut down. Returns a function that removes the signal handlers. */
function endAtOnce(log: Log): () => void {
  const onSignal = (signal: NodeJS.Signals) => {
    log.info({ signal }, 'Shutting down while waiting for the database.')
    process.exit(0)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  return () => {
    process.off('SIGTERM', onSignal)
    process.off('SIGINT', onSignal)
  }
}

/** Answers health checks: the process is live but not ready. All other requests get 503 too. Returns a function that stops listening. */
async function openWaitingServer({ port, host }: Env): Promise<() => Promise<void>> {
  const { createServer } = await import('node:http')
  const server = createServer((request, response) => {
    const isLive = request.url === '/healthz'
    response.writeHead(isLive ? 200 : 503, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store', Connection: 'close' })
    response.end(JSON.stringify(isLive ? { ok: true } : { ok: false, database: false, writable: null, migrated: null, market: false }))
  })
  server.maxConnections = 100
  const { companions } = await listen(server, { port, host })
  return async () => {
    const closed = [server, ...companions].map(closedServer)
    server.closeAllConnections()
    await Promise.all(closed)
  }
}

const closedServer = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()))

/** Returns the host and port of a database, without user, password or options. */
function getPlace(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname}:${port || '5432'}`
}

/** Returns the reason a database is unreachable, or null if it is reachable. @throws errors that waiting cannot fix, such as a wrong password. */
async function getReason(url: string): Promise<string | null> {
  try {
    await reachDatabase(url)
    return null
  } catch (error) {
    if (!mayWorkLater(error)) throw error
    return error instanceof AggregateError ? error.errors.map(String).join('; ') : String(error)
  }
}

/** Waits for one database and logs once a minute. */
async function waitFor(url: string, log: Log, whileWaiting: () => Promise<void>): Promise<void> {
  const database = getPlace(url)
  let reason = await getReason(url)
  if (reason === null) return
  let loggedAt = Number.NEGATIVE_INFINITY
  for (let pauseMs = firstPauseMs; reason !== null; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    if (performance.now() - loggedAt >= logEveryMs) {
      loggedAt = performance.now()
      log.warn({ database, reason }, 'Waiting for the database: it cannot be reached. The service starts as soon as it answers.')
    }
    await whileWaiting()
    await sleep(pauseMs)
    reason = await getReason(url)
  }
  log.info({ database }, 'The database responds. Starting.')
}

/**
 * Waits for the configured database, without a time limit: when a machine boots, this service may start before PostgreSQL. Meanwhile it takes no traffic,
 * answers `/healthz`, and exits immediately on SIGTERM. The embedded database is started by this service and needs no wait.
 */
export async function waitForDatabase(env: Env, log: Log): Promise<void> {
  if (env.databaseUrl === null) return
  const stopListening = endAtOnce(log)
  let close = null as (() => Promise<void>) | null
  const openServer = async () => {
    // With PORT=0, no health check can know the port.
    if (env.port !== 0) close ??= await openWaitingServer(env)
  }
  try {
    for (const url of new Set([env.migrationUrl ?? env.databaseUrl, env.directUrl ?? env.databaseUrl, env.databaseUrl])) await waitFor(url, log, openServer)
  } finally {
    await close?.()
    stopListening()
  }
}

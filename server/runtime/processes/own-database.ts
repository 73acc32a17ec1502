import type { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { getAdvice } from '#server/billing/open-billing.ts'
import { mayWorkLater, reachDatabase } from '#server/db/database-probes.sql.ts'
import { getAddresses } from '#server/db/primary-client.ts'
import type { Env } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'
import { openDatabase, type ServiceDatabase } from '../database.ts'
import { getSecret } from '../secret.ts'
import { listen } from './listener.ts'

const firstPauseMs = 200
const longestPauseMs = 5_000
const logEveryMs = 60_000

/** Exits immediately on a signal, because there is nothing to shut down yet. Returns a function that removes the signal handlers. */
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

/** Starts a server that reports this process as live but not ready. All other requests also get 503. Returns a function that stops it. */
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

/** Waits until a database is reachable. Logs once a minute while waiting. */
async function waitFor(url: string, log: Log, whileWaiting: () => Promise<void>): Promise<void> {
  const database = getAddresses(url)
  let reason = await getReason(url)
  if (reason === null) return
  let loggedAt = Number.NEGATIVE_INFINITY
  for (let pauseMs = firstPauseMs; reason !== null; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    if (performance.now() - loggedAt >= logEveryMs) {
      loggedAt = performance.now()
      log.warn({ database, reason }, 'Waiting for the database: it cannot be reached. The service will start as soon as the database responds.')
    }
    await whileWaiting()
    await sleep(pauseMs)
    reason = await getReason(url)
  }
  log.info({ database }, 'The database responds. Starting.')
}

/**
 * Waits for the configured database, without a time limit, because this service may start before PostgreSQL when a machine boots. While it waits, the service
 * takes no traffic, answers `/healthz`, and exits immediately on SIGTERM. Returns immediately for the embedded database, which this service starts itself.
 */
async function waitForDatabase(env: Env, log: Log): Promise<void> {
  if (env.databaseUrl === null) return
  const stopListening = endAtOnce(log)
  let close = null as (() => Promise<void>) | null
  const openServer = async () => {
    // With PORT=0, no health check could know the port.
    if (env.port !== 0) close ??= await openWaitingServer(env)
  }
  try {
    for (const url of new Set([env.migrationUrl ?? env.databaseUrl, env.directUrl ?? env.databaseUrl, env.databaseUrl])) await waitFor(url, log, openServer)
  } finally {
    await close?.()
    stopListening()
  }
}

const poolSize = 10
const statementTimeoutMs = 5_000

export function openOwnDatabase(env: Env, log: Log): Promise<ServiceDatabase> {
  return openDatabase(env, log, { applicationName: 'svc', max: poolSize, statementTimeoutMs })
}

const developmentMode =
  'Development mode: only this machine can connect. Emails appear at the /dev/mail link printed at start, payments are simulated and /metrics needs no token, unless configured otherwise. Set NODE_ENV=production to serve other machines.'

const untrustedProxy =
  'PUBLIC_URL uses https and TRUST_PROXY is not set: behind a proxy, all clients would share the limits of one address. Set TRUST_PROXY to the addresses of your proxies.'

/** Logs the mode of the service, and advice for the operator about the settings. */
async function advise(env: Env, log: Log, database: ServiceDatabase): Promise<void> {
  if (env.developmentFeatures) log.warn(developmentMode)
  else log.info('Production mode: development features are off.')
  if (env.publicUrl.startsWith('https:') && !env.trustProxy.isSet) log.info(untrustedProxy)
  const secret = await getSecret(env)
  if (env.secret === null && !database.isEmbedded)
    log.warn('NEXTAUTH_SECRET is not set: a gateway on another machine would reject cursors issued by this one. Set it to the same value on every machine.')
  for (const line of getAdvice({ ...env.payment, ...env, secret })) log.info(line)
}

type Prepared = Awaited<ReturnType<typeof import('../prepare.ts').prepare>>

/** Opens and prepares the database, then runs `work`. On failure, closes the database, so that no embedded PostgreSQL keeps running. */
export async function withDatabase<T>(env: Env, log: Log, work: (database: ServiceDatabase, prepared: Prepared) => Promise<T>): Promise<T> {
  await waitForDatabase(env, log)
  const database = await openOwnDatabase(env, log)
  try {
    // Loaded only here: workers get a database that is already prepared.
    const { prepare } = await import('../prepare.ts')
    const prepared = await prepare(env, log, database)
    await advise(env, log, database)
    return await work(database, prepared)
  } catch (error) {
    await database.close()
    throw error
  }
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Pool } from 'pg'
import { adviceOn } from './billing/open-billing.ts'
import { type Database, openDatabase } from './database.ts'
import { migrate, pendingMigrations } from './db/migrate.ts'
import { announce, seedDemonstration } from './demo.ts'
import { type Env, EnvError, readEnv, tellNextAuth } from './env.ts'
import { JobRunner } from './jobs/runner.ts'
import { type WorkerRooms, workerJobs } from './jobs/standing-jobs.ts'
import { createLog, type Log } from './log.ts'
import { seedMarket } from './market/seed.ts'
import { seedStatistics } from './market/statistics/seed-statistics.ts'
import { keepLog } from './metering/usage.ts'
import { nextCarries, openPortal, type Portal } from './portal.ts'
import { postmanInThread } from './postman-thread.ts'
import { secretOf } from './secret.ts'
import { type Service, startService } from './service.ts'
import { shareService } from './service-slot.ts'
import { answerBeside } from './transports/beside.ts'
import { createLeanServer } from './transports/node-http.ts'
import { openWatch, type Watch } from './watch/watch.ts'

const poolSize = 10
const statementTimeoutMs = 5_000
const stopWithinMs = 15_000

function notHere(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404, { 'Content-Type': 'application/json; charset=utf-8', 'X-Content-Type-Options': 'nosniff' })
  response.end('{"error":"not_found","message":"This process serves the API under /v1.","requestId":null,"docs":"/docs/errors/not_found"}')
}

function listen(server: Server, env: Env): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = new Error(`Port ${env.port} is taken. Stop what uses it or set PORT to another one.`)
      reject(error.code === 'EADDRINUSE' ? taken : error)
    })
    // Without a host Node listens on :: for both families, so 127.0.0.1 and localhost both answer.
    server.listen({ port: env.port, ...(env.host === null ? {} : { host: env.host }) }, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : env.port)
    })
  })
}

async function prepare(env: Env, log: Log, database: Database): Promise<{ isRenewed: boolean }> {
  const { applied } = await migrate(database.url, { log: (line) => log.info(line) })
  if (applied.length > 0) log.info({ applied }, 'The database was migrated.')
  await keepLog(database.pool)
  const seeded = await seedStatistics(database.pool)
  if (seeded.length > 0) log.info({ files: seeded }, 'The statistics that come with this release were taken in.')
  // A production database waits for its own market; test keys have their sample everywhere.
  await seedMarket(database.pool, { log, withDemonstration: database.isEmbedded || !env.isProduction })
  return database.isEmbedded ? seedDemonstration(database.pool, env) : { isRenewed: false }
}

type Jobs = { stop: () => Promise<void> }

/** Where this process reaches itself. */
function ownOrigin(host: string | null, port: number): string {
  const isEverywhere = host === null || host === '0.0.0.0' || host === '::'
  return `http://${isEverywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`
}

type Running = { server: Server; service: Service; jobs: Jobs | null; portal: Portal | null; watch: Watch; database: Database }

async function stop(running: Running, log: Log): Promise<void> {
  const { server, service, jobs, portal, watch, database } = running
  const forced = setTimeout(() => {
    log.error('Stopping took too long; leaving at once.')
    process.exit(1)
  }, stopWithinMs)
  forced.unref()
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
  await jobs?.stop()
  await service.close()
  await portal?.close()
  await watch.close()
  await database.close()
  clearTimeout(forced)
}

async function start(env: Env, log: Log): Promise<Running> {
  const database = await openDatabase(env, log, { applicationName: 'svc', max: poolSize, statementTimeoutMs })
  try {
    return await startOn(database, env, log)
  } catch (error) {
    // A start that failed must not leave its PostgreSQL behind.
    await database.close()
    throw error
  }
}

function startJobs(env: Env, log: Log, pool: Pool, rooms: WorkerRooms): Jobs {
  const { jobs, close } = workerJobs(env, rooms, pool, log)
  const runner = new JobRunner(jobs, pool, log)
  return { stop: () => runner.stop().finally(close) }
}

async function startOn(database: Database, env: Env, log: Log): Promise<Running> {
  const { isRenewed } = await prepare(env, log, database)
  tellNextAuth(env)
  const secret = await secretOf(env)
  if (env.secret === null && !database.isEmbedded) log.warn('NEXTAUTH_SECRET is not set: a gateway on another machine would refuse the cursors of this one.')
  for (const line of adviceOn({ ...env.payment, ...env, secret })) log.info(line)
  const pending = () => pendingMigrations(database.pool)
  const service = await startService({ ...env, databaseUrl: database.url, secret, toPostman: postmanInThread }, database.pool, log, pending)
  shareService(service)
  const { url: databaseUrl, pool } = database
  const watch = await openWatch({ ...env, ...env.watch, databaseUrl, dataDir: database.isEmbedded ? env.dataDir : null }, { service, pool, log })
  const portal = env.roles.has('portal') ? await openPortal(env) : null
  const isGateway = env.roles.has('gateway')
  const server = createLeanServer({
    gate: service.gate,
    // Without the gateway role the API is left to Next's route handlers, but for what Next would not hand on as it came.
    answers: (request) => isGateway || !nextCarries(request),
    router: service.router,
    tools: service.tools,
    health: service.health,
    trustProxy: env.trustProxy,
    beside: answerBeside(service),
    operator: watch.operator,
    fallback: portal?.handle ?? notHere,
  })
  portal?.attach(server)
  const port = await listen(server, env)
  service.billing.address.origin = ownOrigin(env.host, port)
  const jobs = env.roles.has('worker') ? startJobs(env, log, database.pool, service) : null
  log.info({ port, roles: [...env.roles] }, 'Serving.')
  if (database.isEmbedded) announce(env, isRenewed)
  return { server, service, jobs, portal, watch, database }
}

async function main(): Promise<void> {
  const env = readEnv()
  const log = createLog(env.logLevel)
  const running = await start(env, log)
  let stopping = false
  const onSignal = () => {
    if (stopping) return
    stopping = true
    stop(running, log).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'Stopping failed.')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

main().catch((error: unknown) => {
  // Plain lines: whoever starts the service reads them, and a stack would hide what to do.
  process.stderr.write(`${error instanceof EnvError ? 'The environment cannot be used:\n' : ''}${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})

/**
 * Who uses the embedded server. Every process that uses it holds one connection with a shared advisory lock, so the server
 * itself knows its users: the lock of a killed process is gone with its connection, and the last user to leave, who alone can
 * take the lock exclusively, is the one that stops the server. A newcomer waits on that lock until the server is gone, and starts it again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { hasEnded } from './embedded-postmaster.ts'
import { codeOf } from './error-parts.ts'

export type Lease = {
  /** Resolves when the connection ends for whatever reason, with that reason. */
  readonly lost: Promise<string>
  /** True when nobody else uses the server, or when it does not answer at all. From then on no newcomer gets in. */
  isLast: () => Promise<boolean>
  release: () => Promise<void>
}

/** Any number will do, as long as every version of the service takes the same. */
const lockKey = 7_317_202_401
const silenceMs = 5_000
/** How long the server may need to notice that a process is gone, and how often it is asked. */
const noticedWithinMs = 2_000
const askAgainMs = 20
const leaseName = 'svc lease'

export const appRole = 'svc'

export async function takeLease(server: { port: number; password: string }): Promise<Lease> {
  const client = new Client({
    host: '127.0.0.1',
    port: server.port,
    user: 'postgres',
    password: server.password,
    database: 'postgres',
    application_name: `${leaseName} ${process.pid}`,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    query_timeout: 31_000,
    keepAlive: true,
  })
  const lost = new Promise<string>((done) => {
    client.on('error', (error) => done(error.message))
    client.once('end', () => done('the connection ended'))
  })
  try {
    await client.connect()
    await client.query('SELECT pg_advisory_lock_shared($1)', [lockKey])
    await ensureDatabase(client, server.password)
  } catch (error) {
    await close(client)
    throw error
  }
  return { lost, isLast: () => isLast(client), release: () => close(client) }
}

/** Takes the lock for itself. A process that was killed a moment ago may have it still: it is waited for, anybody who lives is not. */
async function takeAlone(client: Client): Promise<boolean> {
  const until = performance.now() + noticedWithinMs
  while (true) {
    const { rows } = await client.query<{ alone: boolean }>('SELECT pg_try_advisory_lock($1) AS alone', [lockKey])
    if (rows[0]?.alone === true) return true
    if (performance.now() > until || (await isShared(client))) return false
    await sleep(askAgainMs)
  }
}

/** Whether a process that lives has a lease too. One that does not say its number is taken to live. */
async function isShared(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT application_name AS name FROM pg_stat_activity WHERE starts_with(application_name, $1) AND pid <> pg_backend_pid()',
    [leaseName],
  )
  const pids = rows.map(({ name }) => Number(name.slice(leaseName.length)))
  const living = await Promise.all(pids.map(async (pid) => !(pid > 0) || !(await hasEnded(pid))))
  return living.includes(true)
}

async function isLast(client: Client): Promise<boolean> {
  const asked = (async () => {
    await client.query('SELECT pg_advisory_unlock_shared($1)', [lockKey])
    return takeAlone(client)
  })()
  const limit = new AbortController()
  const silent = sleep(silenceMs, true, { signal: limit.signal }).catch(() => true)
  // A connection that is already gone says nothing about others, so nothing is stopped.
  return await Promise.race([asked.catch(() => false), silent]).finally(() => limit.abort())
}

/**
 * The service does not work as superuser, as it would not on anybody's own PostgreSQL: what needs more rights shows early,
 * and no statement of it can reach the file system. It may create databases (tests clone theirs) and read the statistics.
 */
async function ensureDatabase(client: Client, password: string): Promise<void> {
  const { rows } = await client.query<{ role: boolean; database: boolean }>(
    'SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS role, EXISTS (SELECT FROM pg_database WHERE datname = $1) AS database',
    [appRole],
  )
  if (rows[0]?.role !== true) {
    await unlessMade(client, `CREATE ROLE ${appRole} LOGIN CREATEDB PASSWORD '${password}' IN ROLE pg_monitor, pg_signal_backend, pg_checkpoint`)
  }
  if (rows[0]?.database !== true) await unlessMade(client, `CREATE DATABASE ${appRole} OWNER ${appRole}`)
}

/** Two processes may make the same thing at once: duplicate object, duplicate database, or the unique key below them. */
async function unlessMade(client: Client, statement: string): Promise<void> {
  await client.query(statement).catch((error: unknown) => {
    if (!['42710', '42P04', '23505'].includes(codeOf(error))) throw error
  })
}

/** A server that is shutting down may never answer the goodbye. */
async function close(client: Client): Promise<void> {
  const limit = setTimeout(() => client.connection.stream.destroy(), 1_000)
  await client.end().catch(() => undefined)
  clearTimeout(limit)
}

/**
 * Tracks the users of the embedded server. Every process that uses the server holds a shared advisory lock on its own connection; if the process is killed, its
 * lock disappears with the connection. The last user stops the server, because only it can take the lock exclusively. A process that requests the server at
 * that moment waits until it has stopped, and then starts it again. Prisma has no advisory locks, and can't create the role and the database it connects to.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { getCode } from './database-errors.ts'
import { hasEnded } from './embedded-postmaster.ts'

export type Lease = {
  /** Resolves with the reason when the connection ends. */
  readonly lost: Promise<string>
  /** Resolves to true if no other process uses the server, or if the server doesn't respond. If true, no other process can take a lease from then on. */
  isLast: () => Promise<boolean>
  release: () => Promise<void>
}

/** Key of the advisory lock. Arbitrary, but must be the same in every version of the service. */
const lockKey = 7_317_202_401
const responseTimeoutMs = 5_000
/** Maximum time to wait for the server to notice that a killed process is gone. */
const noticeTimeoutMs = 2_000
const pollIntervalMs = 20
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

/** Tries to take the lock exclusively. Waits for the server to notice processes that were just killed, but not for running ones. */
async function lockExclusively(client: Client): Promise<boolean> {
  const until = performance.now() + noticeTimeoutMs
  while (true) {
    const { rows } = await client.query<{ alone: boolean }>('SELECT pg_try_advisory_lock($1) AS alone', [lockKey])
    if (rows[0]?.alone === true) return true
    if (performance.now() > until || (await isShared(client))) return false
    await sleep(pollIntervalMs)
  }
}

/** Returns true if another running process has a lease. A lease without a process id counts as held by a running process. */
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
    return lockExclusively(client)
  })()
  // If the connection is already gone, there may be other users, so the server is not stopped.
  return Promise.race([asked.catch(() => false), sleep(responseTimeoutMs, true, { ref: false })])
}

/**
 * Creates the service's role and database. As on any other PostgreSQL, the role is not a superuser, so missing privileges show up early and its statements
 * can't access the file system. The role may create databases, because tests clone theirs, and may read statistics.
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

/**
 * Runs a statement that another process may run at the same time. Ignores errors that mean the object already exists: duplicate object, duplicate database and
 * unique violation.
 */
async function unlessMade(client: Client, statement: string): Promise<void> {
  await client.query(statement).catch((error: unknown) => {
    if (!['42710', '42P04', '23505'].includes(getCode(error))) throw error
  })
}

/** Closes a connection, and destroys its socket if that takes longer than a second: a server that is shutting down may never acknowledge the close. */
async function close(client: Client): Promise<void> {
  const limit = setTimeout(() => client.connection.stream.destroy(), 1_000)
  await client.end().catch(() => undefined)
  clearTimeout(limit)
}

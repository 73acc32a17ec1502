/** Migrations in the repository and in a database's history. Plain SQL: nothing here loads the schema engine. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client, DatabaseError, type Pool } from 'pg'
import { getCode } from './database-errors.ts'

export type Migration = { name: string; sql: string; checksum: string }

/** Row of Prisma's migrations table. `logs` contains the error of a failed migration, or the marker that this service sets when a script is committed. */
export type HistoryRow = { id: string; name: string; checksum: string; finished: boolean; logs: string | null }

export type Queryable = { query: <R extends object>(text: string, values?: unknown[]) => Promise<{ rows: R[] }> }

// Not import.meta.dirname: the portal's bundler doesn't support it.
export const migrationsFolder = resolve(dirname(fileURLToPath(import.meta.url)), '../../prisma/migrations')

export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const entries = await readdir(/*turbopackIgnore: true*/ folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return Promise.all(names.sort().map((name) => readMigration(folder, name)))
}

async function readMigration(folder: string, name: string): Promise<Migration> {
  const sql = await readFile(/*turbopackIgnore: true*/ join(folder, name, 'migration.sql'), 'utf8')
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
}

/** Reads the migration history without rolled-back rows. Returns an empty list if the database was never migrated. */
export async function readHistory(database: Queryable): Promise<HistoryRow[]> {
  try {
    const { rows } = await database.query<HistoryRow>(
      `SELECT id, migration_name AS name, checksum, finished_at IS NOT NULL AS finished, logs
       FROM "_prisma_migrations" WHERE rolled_back_at IS NULL ORDER BY started_at`,
    )
    return rows
  } catch (error) {
    if (getCode(error) === '42P01') return []
    throw error
  }
}

export function getPending(migrations: Migration[], history: HistoryRow[]): string[] {
  const done = new Set(history.filter((row) => row.finished).map((row) => `${row.name} ${row.checksum}`))
  return migrations.filter((one) => !done.has(`${one.name} ${one.checksum}`)).map((one) => one.name)
}

/** Runs `use` on a separate connection: a migration may take long, and its settings must not leak into a pool. */
export async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, application_name: 'svc migrate', connectionTimeoutMillis: 10_000, keepAlive: true })
  // If the connection breaks, a query in progress fails. Between queries only this event fires, and the next query fails.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** Lock timeout. A session waiting for a lock blocks all sessions after it, and API calls wait two seconds at most, so the timeout must be much shorter. */
const lockWaitMs = 400
const pauseMs = 600
const maxAttempts = 180

const lockNotAvailable = '55P03'
const deadlock = '40P01'

/** Matches a script that builds or drops an index concurrently, which can't run in a transaction. Comments may precede the statement. */
const concurrently = /^(?:\s|--[^\n]*\n)*(?:CREATE\s+(?:UNIQUE\s+)?|DROP\s+|RE)INDEX\s(?:.*\s)?CONCURRENTLY\s/i
const indexName = /INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?"?([a-z0-9_]+)"?\s+ON\s/i

/** Thrown if other transactions held locks on the tables of a migration for the whole time. */
export class BusyError extends Error {
  override name = 'BusyError'
}

const isBusy = (error: unknown) => error instanceof DatabaseError && (error.code === lockNotAvailable || error.code === deadlock)

type Options = { pool: Pool; log: (line: string) => void }

/** Runs a statement or script with a lock timeout in milliseconds; 0 waits indefinitely. */
async function runWithLockTimeout(pool: Pool, waitMs: number, script: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(`SET lock_timeout = ${waitMs}`)
    await client.query(script)
  } finally {
    const reset = await client.query('RESET lock_timeout').then(
      () => undefined,
      (error: Error) => error,
    )
    client.release(reset)
  }
}

/**
 * Runs a script and the statement `mark` as one transaction. Waits only briefly for locks, then rolls back and retries, so that requests can run in between.
 * @throws BusyError if the locks are not granted within three minutes
 */
async function runInTransaction(script: string, mark: string, { pool, log }: Options): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runWithLockTimeout(pool, lockWaitMs, `${script}\n;${mark}`)
      return
    } catch (error) {
      if (!isBusy(error)) throw error
      if (attempt === maxAttempts) throw new BusyError('the tables it changes were locked by others for three minutes', { cause: error })
      if (attempt === 3) log('a migration is waiting for locks on the tables it changes; requests continue meanwhile')
      await sleep(pauseMs)
    }
  }
}

/**
 * Builds an index concurrently, outside a transaction. PostgreSQL waits for other transactions to end, but does not block them. An invalid index left by a
 * killed process is dropped first; for a valid one, only `mark` runs.
 */
async function runConcurrently(script: string, mark: string, { pool }: Options): Promise<void> {
  const name = indexName.exec(script)?.[1]
  const found = name === undefined ? [] : (await pool.query<{ valid: boolean }>(validSql, [name])).rows
  if (found[0]?.valid === false) await runWithLockTimeout(pool, 0, `DROP INDEX CONCURRENTLY "${name}"`)
  if (found[0]?.valid !== true) await runWithLockTimeout(pool, 0, script)
  await pool.query(mark)
}

const validSql = `SELECT i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE c.relname = $1 AND c.relnamespace = current_schema()::regnamespace`

/** Runs a migration. `mark` is the statement that records in its history row that it was committed. */
export const runMigration = (script: string, mark: string, options: Options): Promise<void> =>
  concurrently.test(script) ? runConcurrently(script, mark, options) : runInTransaction(script, mark, options)

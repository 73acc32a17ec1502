/** Reads and runs migrations, and marks incomplete restores. Prisma's client can't run scripts, and not all of its tables exist yet. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Client, DatabaseError, type Pool } from 'pg'
import { getCode } from './database-errors.ts'
import { PrimaryClient } from './primary-client.ts'

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

/** Runs `use`, which may take hours, on a connection with keepalives and no time limits. If it fails, destroys the connection: an unread COPY never ends. */
export async function withClient<Result>(url: string, applicationName: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const settings = { application_name: applicationName, connectionTimeoutMillis: 10_000, keepAlive: true, keepAliveInitialDelayMillis: 10_000 }
  const client = new PrimaryClient({ connectionString: url, ...settings })
  // Safe to ignore: if the connection breaks during a query, that query fails; if it breaks between queries, the next query fails.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const result = await use(client)
    await client.end()
    return result
  } catch (error) {
    client.connection.stream.destroy()
    throw error
  }
}

/**
 * Lock timeout. A session waiting for a lock blocks all sessions that queue behind it, and API calls wait two seconds at most, so the timeout must be much
 * shorter.
 */
const lockWaitMs = 400
const pauseMs = 600
const maxAttempts = 180

const lockNotAvailable = '55P03'
const deadlock = '40P01'

/** Matches a script that builds or drops an index concurrently, which can't run in a transaction. Comments may precede the statement. */
const concurrently = /^(?:\s|--[^\n]*\n)*(?:CREATE\s+(?:UNIQUE\s+)?|DROP\s+|RE)INDEX\s(?:.*\s)?CONCURRENTLY\s/i
const indexName = /INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?"?([a-z0-9_]+)"?\s+ON\s/i

/** Thrown if other transactions kept a migration's tables locked until the last attempt. */
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
      if (attempt === maxAttempts) throw new BusyError('other sessions locked the tables it changes for three minutes', { cause: error })
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

/** Runs a migration. `mark` is the statement that records in the migration's history row that it was committed. */
export const runMigration = (script: string, mark: string, options: Options): Promise<void> =>
  concurrently.test(script) ? runConcurrently(script, mark, options) : runInTransaction(script, mark, options)

/** A restore that is running or was interrupted. `file` is the backup's name. */
export type HalfRestore = { readonly file: string; readonly begunAt: Date }

export class HalfRestoreError extends Error {
  override name = 'HalfRestoreError'
}

// In a separate schema, because Prisma refuses the first migration of a schema that already contains tables.
const stateTable = 'svc_restore.state'

export async function halfRestore(database: Queryable): Promise<HalfRestore | null> {
  const { rows } = await database.query<{ isThere: boolean }>('SELECT to_regclass($1) IS NOT NULL AS "isThere"', [stateTable])
  if (rows[0]?.isThere !== true) return null
  const state = await database.query<HalfRestore>(`SELECT file, started_at AS "begunAt" FROM ${stateTable}`)
  return state.rows[0] ?? { file: 'a backup', begunAt: new Date(0) }
}

/** @throws HalfRestoreError if a restore is incomplete. */
export async function refuseHalfRestore(database: Queryable): Promise<void> {
  const half = await halfRestore(database)
  if (half === null) return
  throw new HalfRestoreError(
    `This database is an incomplete restore: restoring ${half.file} started at ${half.begunAt.toISOString()} and did not finish. Run "svc backup restore" again, which starts over, or use another database.`,
  )
}

/**
 * Marks the database as an incomplete restore of a file, replacing any earlier mark. The table counts as a mark even while it is empty, so the mark is never
 * missing.
 */
export async function markHalf(database: Queryable, file: string): Promise<void> {
  await database.query('CREATE SCHEMA IF NOT EXISTS svc_restore')
  await database.query(`CREATE TABLE IF NOT EXISTS ${stateTable} (file text NOT NULL, started_at timestamptz NOT NULL DEFAULT now())`)
  // Requests may be served by another role. That role must be able to read the mark too, so that the service refuses to start.
  await database.query(`GRANT USAGE ON SCHEMA svc_restore TO PUBLIC; GRANT SELECT ON ${stateTable} TO PUBLIC`)
  await database.query(`DELETE FROM ${stateTable}`)
  await database.query(`INSERT INTO ${stateTable} (file) VALUES ($1)`, [file])
}

export async function unmarkHalf(database: Queryable): Promise<void> {
  await database.query('DROP SCHEMA svc_restore CASCADE')
}

/** Lists up to twenty objects in the service's schema, excluding objects that belong to extensions. */
const ownSql = `SELECT kind, name FROM (
    SELECT CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END AS kind,
      format('%I', c.relname) AS name, c.oid, 'pg_class'::regclass AS class
    FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
    UNION ALL SELECT 'ROUTINE', p.oid::regprocedure::text, p.oid, 'pg_proc'::regclass FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace
  ) found WHERE NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = found.class AND d.objid = found.oid AND d.deptype IN ('e', 'i', 'a'))
  ORDER BY kind DESC, name LIMIT 20`

export async function whatStands(database: Queryable): Promise<string[]> {
  return (await database.query<{ kind: string; name: string }>(ownSql)).rows.map(({ name }) => name)
}

/**
 * Drops all objects in the service's schema, and the jobs' schema. The interrupted restore must have created them, because the database was empty before it.
 */
export async function clearHalf(database: Queryable): Promise<void> {
  await database.query('DROP SCHEMA IF EXISTS pgboss CASCADE')
  // Repeats until nothing is left: each round drops some objects together with their dependants.
  for (let turn = 0; turn < 1_000; turn += 1) {
    const { rows } = await database.query<{ kind: string; name: string }>(ownSql)
    if (rows.length === 0) return
    for (const { kind, name } of rows) await database.query(`DROP ${kind} IF EXISTS ${name} CASCADE`)
  }
  throw new HalfRestoreError('Cannot remove the remains of an interrupted restore. Drop and recreate the database.')
}

/** Key of the migration lock. Differs from the key of Prisma's own lock, which its engine takes on another connection. */
const migrationLock = 7_317_202_402

/** Takes the migration lock until the connection ends. Returns false if another process holds it. */
export async function tryMigrationLock(client: Client): Promise<boolean> {
  return (await client.query<{ isOurs: boolean }>('SELECT pg_try_advisory_lock($1) AS "isOurs"', [migrationLock])).rows[0]?.isOurs === true
}

const committed = 'the script was committed'

/** Marks the current migration as committed. Earlier migrations are finished, so only the current one matches. */
export const markCommitted = `UPDATE "_prisma_migrations" SET logs = '${committed}' WHERE finished_at IS NULL AND rolled_back_at IS NULL`

/** Removes the marks of migrations that are finished. */
export const clearMarks = (database: Queryable) => database.query(`UPDATE "_prisma_migrations" SET logs = NULL WHERE logs = '${committed}'`)

/** Records that an unfinished migration was applied if its script was committed, or rolled back otherwise. Returns true if it was applied. */
export async function settleMigration(client: Client, { id, logs }: HistoryRow): Promise<boolean> {
  const isApplied = logs === committed
  const change = isApplied ? 'finished_at = now(), applied_steps_count = 1, logs = NULL' : 'rolled_back_at = now()'
  await client.query(`UPDATE "_prisma_migrations" SET ${change} WHERE id = $1`, [id])
  return isApplied
}

const charOid = 18

/** Rewrites a query to return columns of the catalogue type "char" as text. Also returns for each column whether it has that type. */
export async function castChars(pool: Pool, query: string, values: unknown[]): Promise<{ sql: string; isChar: boolean[] }> {
  const inner = `(${query.trim().replace(/;$/, '')}) AS q`
  const { fields } = await pool.query(`SELECT * FROM ${inner} LIMIT 0`, values)
  const columns = fields.map(({ name, dataTypeID }) => (dataTypeID === charOid ? `"${name}"::text AS "${name}"` : `"${name}"`))
  return { sql: `SELECT ${columns.join(', ')} FROM ${inner}`, isChar: fields.map(({ dataTypeID }) => dataTypeID === charOid) }
}

export const runScript = async (pool: Pool, script: string): Promise<void> => void (await pool.query(script))

/** Brings a database to the state of prisma/migrations. Any number of processes may do so at once; one works, the others wait. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { DatabaseError, Pool } from 'pg'
import { messageOf } from './error-parts.ts'
import { refuseHalfRestore } from './half-restore.ts'
import type { HistoryRow, Migration, Queryable } from './migrations.ts'
import { migrationsFolder, pendingOf, readHistory, readMigrations, withClient } from './migrations.ts'
import { BusyError, runMigration } from './run-script.ts'
import type { MigrationList } from './schema-engine.ts'

export type MigrateOptions = {
  log: (line: string) => void
  folder?: string
  /** The names of those that are applied; all of them unless told. */
  only?: ReadonlySet<string>
  /** A restore works on a database that says it is half of one, which everybody else refuses. */
  within?: 'restore'
}

/** The message names the migration and says what to do; `cause` is what PostgreSQL or the engine said. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

/** Not the key of Prisma's own lock, which its engine takes on another connection. */
const lockKey = 7_317_202_402
const lockWaitMs = 10 * 60_000
const scriptLimitMs = 30 * 60_000
const committed = 'the script was committed'

export async function migrate(url: string, { log, folder = migrationsFolder, only, within }: MigrateOptions): Promise<{ applied: string[] }> {
  const migrations = (await readMigrations(folder)).filter(({ name }) => only?.has(name) ?? true)
  return withClient(url, async (client) => {
    if (within !== 'restore') await refuseHalfRestore(client)
    if (isUpToDate(migrations, await readHistory(client))) return { applied: [] }
    await lock(client, log)
    const history = await settleInterrupted(client, await readHistory(client), log)
    if (isUpToDate(migrations, history)) return { applied: [] } // The process that we waited for has done it.
    const applied = await apply(url, folder, migrations, log)
    if (applied.length > 0) log(`applied ${applied.length} migration${applied.length === 1 ? '' : 's'}: ${applied.join(', ')}`)
    return { applied }
  })
}

/** The migrations that the database still lacks, for a readiness check. Takes the pool that is already open, or an address. */
export async function pendingMigrations(database: Queryable | string, folder = migrationsFolder): Promise<string[]> {
  const migrations = await readMigrations(folder)
  if (typeof database !== 'string') {
    await refuseHalfRestore(database)
    return pendingOf(migrations, await readHistory(database))
  }
  return withClient(database, async (client) => pendingOf(migrations, await readHistory(client)))
}

function isUpToDate(migrations: Migration[], history: HistoryRow[]): boolean {
  const applied = new Map(history.filter((row) => row.finished).map((row) => [row.name, row.checksum]))
  for (const { name, checksum } of migrations) {
    if (applied.has(name) && applied.get(name) !== checksum) {
      throw new MigrationError(
        `Migration ${name} was changed after it was applied to this database: restore its text and put the change into a new migration (a development database may simply be removed).`,
      )
    }
  }
  return history.every((row) => row.finished) && pendingOf(migrations, history).length === 0
}

/** Asks again and again instead of queueing: a session that waits in a lock holds back CREATE INDEX CONCURRENTLY in the one that works. */
async function lock(client: Client, log: (line: string) => void): Promise<void> {
  const deadline = Date.now() + lockWaitMs
  for (let attempt = 0; Date.now() < deadline; attempt += 1) {
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [lockKey])
    if (rows[0]?.mine === true) return
    if (attempt === 10) log('waiting for another process that is migrating this database')
    await sleep(Math.min(20 * (attempt + 1), 500))
  }
  throw new MigrationError(
    'Another process has been migrating this database for ten minutes: look at it in pg_stat_activity (application svc migrate) and start again when it is done.',
  )
}

/**
 * A process that was killed (or a script that failed) leaves a row without an end, on which Prisma refuses to go on. Every
 * script is one transaction that ends with our mark, so the row itself tells whether the script took effect; an index that is made beside the calls is
 * looked for when it runs again.
 */
async function settleInterrupted(client: Client, history: HistoryRow[], log: (line: string) => void): Promise<HistoryRow[]> {
  for (const row of history.filter((one) => !one.finished)) {
    const change = row.logs === committed ? 'finished_at = now(), applied_steps_count = 1, logs = NULL' : 'rolled_back_at = now()'
    await client.query(`UPDATE "_prisma_migrations" SET ${change} WHERE id = $1`, [row.id])
    log(
      `migration ${row.name} did not end properly last time; ${row.logs === committed ? 'it had taken effect' : 'nothing of it took effect, so it runs again'}`,
    )
  }
  return readHistory(client)
}

async function apply(url: string, folder: string, migrations: Migration[], log: (line: string) => void): Promise<string[]> {
  // Loaded only when there is something to do: it is 5 MB of WebAssembly.
  const { lastPanic, noFilters, openEngine } = await import('./schema-engine.ts')
  const pool = new Pool({ connectionString: url, max: 1, application_name: 'svc migrate', connectionTimeoutMillis: 10_000, statement_timeout: scriptLimitMs })
  pool.on('error', (error) => log(`the connection for migrations was lost (${error.message})`))
  let failure: MigrationError | undefined
  const runScript = async (script: string) => {
    try {
      // The mark goes with the script, or not at all. The rows of all earlier migrations have an end by now.
      const mark = `UPDATE "_prisma_migrations" SET logs = '${committed}' WHERE finished_at IS NULL AND rolled_back_at IS NULL`
      await runMigration(script, mark, { pool, log })
    } catch (error) {
      failure = scriptFault(script, migrations, error)
      throw error
    }
  }
  try {
    const engine = await openEngine({ pool, runScript, log })
    try {
      const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList: listFor(folder, migrations), filters: noFilters })
      await pool.query(`UPDATE "_prisma_migrations" SET logs = NULL WHERE logs = '${committed}'`)
      return appliedMigrationNames
    } finally {
      engine.free()
    }
  } catch (error) {
    throw failure ?? engineFault(error, lastPanic())
  } finally {
    await pool.end()
  }
}

function listFor(folder: string, migrations: Migration[]): MigrationList {
  return {
    baseDir: folder,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, sql }) => ({ path: name, migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } } })),
  }
}

function scriptFault(script: string, migrations: Migration[], cause: unknown): MigrationError {
  const name = migrations.find((one) => one.sql === script)?.name ?? 'of an unknown name'
  if (cause instanceof BusyError) {
    return new MigrationError(
      `Migration ${name} was not applied: ${messageOf(cause)}. Look for long transactions in pg_stat_activity, let them end, and start again. Nothing of it was applied.`,
      { cause },
    )
  }
  const position = cause instanceof DatabaseError ? Number(cause.position) : Number.NaN
  const line = Number.isInteger(position) ? ` at line ${script.slice(0, position).split('\n').length}` : ''
  return new MigrationError(`Migration ${name} failed${line}: ${messageOf(cause)}. Nothing of it was applied: correct its migration.sql and start again.`, {
    cause,
  })
}

function engineFault(cause: unknown, panic: string | undefined): MigrationError {
  const text = panic ?? messageOf(cause)
  if (text.includes('P3005') || /schema is not empty/.test(text)) {
    return new MigrationError('This database already holds tables that did not come from this service: give the service a database of its own.', { cause })
  }
  return new MigrationError(
    `The database could not be migrated: ${text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(' ')}`,
    { cause },
  )
}

/** Applies prisma/migrations to a database. Safe to run in any number of processes at once: one process applies them while the others wait. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { DatabaseError, Pool } from 'pg'
import { getMessage } from './database-errors.ts'
import { refuseWorker } from './database-probes.sql.ts'
import type { HistoryRow, Migration, Queryable } from './migrations.sql.ts'
import {
  BusyError,
  clearMarks,
  getPending,
  markCommitted,
  migrationsFolder,
  readHistory,
  readMigrations,
  refuseHalfRestore,
  runMigration,
  settleMigration,
  tryMigrationLock,
  withClient,
} from './migrations.sql.ts'
import { PrimaryClient } from './primary-client.ts'
import type { MigrationList } from './schema-engine.ts'

export type MigrateOptions = {
  log: (line: string) => void
  folder?: string
  /** Names of the migrations to apply. Default: all. */
  only?: ReadonlySet<string>
  /** Set by a restore, because its database is marked as incomplete and would otherwise be rejected. */
  within?: 'restore'
}

/** Thrown if the database can't be migrated. The message says what to do. `cause` is the error of PostgreSQL or the schema engine. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

const lockWaitMs = 10 * 60_000
const scriptLimitMs = 30 * 60_000

export async function migrate(url: string, { log, folder = migrationsFolder, only, within }: MigrateOptions): Promise<{ applied: string[] }> {
  const migrations = (await readMigrations(folder)).filter(({ name }) => only?.has(name) ?? true)
  return withClient(url, 'svc migrate', async (client) => {
    await refuseWorker(client)
    if (within !== 'restore') await refuseHalfRestore(client)
    if (isUpToDate(migrations, await readHistory(client))) return { applied: [] }
    await lock(client, log)
    const history = await settleInterrupted(client, await readHistory(client), log)
    if (isUpToDate(migrations, history)) return { applied: [] } // Another process applied them while this one waited.
    const applied = await apply(url, folder, migrations, log)
    if (applied.length > 0) log(`applied ${applied.length} migration${applied.length === 1 ? '' : 's'}: ${applied.join(', ')}`)
    return { applied }
  })
}

/** Returns the names of the migrations that the database lacks. */
export async function pendingMigrations(database: Queryable | string, folder = migrationsFolder): Promise<string[]> {
  const migrations = await readMigrations(folder)
  if (typeof database !== 'string') {
    await refuseWorker(database)
    await refuseHalfRestore(database)
    return getPending(migrations, await readHistory(database))
  }
  return withClient(database, 'svc migrate', async (client) => getPending(migrations, await readHistory(client)))
}

/** The first migration that this release knows. Versions before 0.3 had a different series of migrations, which this release can't continue. */
const baseline = '20261125000000_baseline'

/** @throws MigrationError if the database was made by a version before 0.3 */
function refuseEarlierSeries(migrations: Migration[], history: HistoryRow[]): void {
  if (!migrations.some(({ name }) => name === baseline) || history.length === 0 || history.some(({ name }) => name >= baseline)) return
  throw new MigrationError(
    'This database was made by a version before 0.3, which no later version can upgrade. Start with an empty database: set another DATABASE_URL, or move DATA_DIR away.',
  )
}

function isUpToDate(migrations: Migration[], history: HistoryRow[]): boolean {
  refuseEarlierSeries(migrations, history)
  const applied = new Map(history.filter((row) => row.finished).map((row) => [row.name, row.checksum]))
  for (const { name, checksum } of migrations) {
    if (applied.has(name) && applied.get(name) !== checksum) {
      throw new MigrationError(
        `Migration ${name} was modified after it was applied to this database. Restore the original file and put the change into a new migration. If this is a development database, you can delete the database instead.`,
      )
    }
  }
  return history.every((row) => row.finished) && getPending(migrations, history).length === 0
}

/** Takes the migration lock. Polls, because a session that waits for a lock would block CREATE INDEX CONCURRENTLY in the session that migrates. */
async function lock(client: Client, log: (line: string) => void): Promise<void> {
  const deadline = Date.now() + lockWaitMs
  for (let attempt = 0; Date.now() < deadline; attempt += 1) {
    if (await tryMigrationLock(client)) return
    if (attempt === 10) log('waiting for another process that is migrating this database')
    await sleep(Math.min(20 * (attempt + 1), 500))
  }
  throw new MigrationError(
    'Another process has been migrating this database for ten minutes. Look for it in pg_stat_activity (application svc migrate) and start again when it is done.',
  )
}

/**
 * Marks unfinished migration rows, left by a killed process or a failed script, as applied or rolled back, because Prisma refuses to continue while any exist.
 * Each script sets a marker in its row within its own transaction, so the row shows whether the script was committed. A concurrent index build is checked when
 * its script runs again.
 */
async function settleInterrupted(client: Client, history: HistoryRow[], log: (line: string) => void): Promise<HistoryRow[]> {
  for (const row of history.filter((one) => !one.finished)) {
    const isApplied = await settleMigration(client, row)
    log(`migration ${row.name} was interrupted during the last run; it ${isApplied ? 'had been applied' : 'was not applied and will run again'}`)
  }
  return readHistory(client)
}

async function apply(url: string, folder: string, migrations: Migration[], log: (line: string) => void): Promise<string[]> {
  // Loaded only when needed: it is 5 MB of WebAssembly.
  const { lastPanic, noFilters, openEngine } = await import('./schema-engine.ts')
  const pool = new Pool({
    connectionString: url,
    Client: PrimaryClient,
    max: 1,
    application_name: 'svc migrate',
    connectionTimeoutMillis: 10_000,
    statement_timeout: scriptLimitMs,
  })
  pool.on('error', (error) => log(`lost the connection for migrations (${error.message})`))
  let failure: MigrationError | undefined
  const runScript = async (script: string) => {
    try {
      await runMigration(script, markCommitted, { pool, log })
    } catch (error) {
      failure = toScriptError(script, migrations, error)
      throw error
    }
  }
  try {
    const engine = await openEngine({ pool, runScript, log })
    try {
      const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList: listFor(folder, migrations), filters: noFilters })
      await clearMarks(pool)
      return appliedMigrationNames
    } finally {
      engine.free()
    }
  } catch (error) {
    throw failure ?? toEngineError(error, lastPanic())
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

function toScriptError(script: string, migrations: Migration[], cause: unknown): MigrationError {
  const name = migrations.find((one) => one.sql === script)?.name ?? 'of unknown name'
  if (cause instanceof BusyError) {
    return new MigrationError(
      `Migration ${name} was not applied: ${getMessage(cause)}. Look for long transactions in pg_stat_activity, let them end, and start again. No changes were made.`,
      { cause },
    )
  }
  const position = cause instanceof DatabaseError ? Number(cause.position) : Number.NaN
  const line = Number.isInteger(position) ? ` at line ${script.slice(0, position).split('\n').length}` : ''
  return new MigrationError(`Migration ${name} failed${line}: ${getMessage(cause)}. No changes were made. Correct its migration.sql and start again.`, {
    cause,
  })
}

function toEngineError(cause: unknown, panic: string | undefined): MigrationError {
  const text = panic ?? getMessage(cause)
  if (text.includes('P3005') || /schema is not empty/.test(text)) {
    return new MigrationError("This database contains tables that don't belong to this service. Use a separate database for the service.", { cause })
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

/** Migrations in the repository and in a database's history. Plain SQL: nothing here loads the schema engine. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { getCode } from './error-parts.ts'

export type Migration = { name: string; sql: string; checksum: string }

/** Row of Prisma's migrations table. `logs` contains the error of a failed migration, or our mark for a committed script. */
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

/** Opens a separate connection: a migration may take long, and its settings must not leak into a pool. */
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

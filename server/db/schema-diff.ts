import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Pool } from 'pg'
import { runScript } from './migrations.sql.ts'
import { PrimaryClient } from './primary-client.ts'
import { noFilters, openEngine } from './schema-engine.ts'

export const schemaFolder = resolve(import.meta.dirname, '../../prisma/schema')

/**
 * Returns the SQL that would bring a database in line with prisma/schema; empty if they match. Prisma ignores functions, triggers, check constraints and
 * partitions.
 */
export async function schemaDiff(url: string): Promise<string> {
  const names = (await readdir(schemaFolder)).filter((name) => name.endsWith('.prisma')).sort()
  const files = await Promise.all(names.map(async (name) => ({ path: join(schemaFolder, name), content: await readFile(join(schemaFolder, name), 'utf8') })))
  const pool = new Pool({
    connectionString: url,
    Client: PrimaryClient,
    max: 1,
    application_name: 'svc migrate',
    connectionTimeoutMillis: 10_000,
    statement_timeout: 60_000,
  })
  try {
    const engine = await openEngine({ pool, runScript: (script) => runScript(pool, script), log: () => undefined })
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: schemaFolder },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      filters: noFilters,
    })
    engine.free()
    const sql = (stdout ?? '').trim()
    return sql === '-- This is an empty migration.' ? '' : sql
  } finally {
    await pool.end()
  }
}

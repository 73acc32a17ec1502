import type { Database } from '#server/db/prisma.ts'
import { ownDatabase } from '../../support/own-database.ts'

/** Creates a database for one test file and deletes all statistics before each test. Call it once at the top of the file. */
export function statisticsDatabase(): { readonly pool: Database } {
  return ownDatabase({ prepare: (pool) => pool.query('TRUNCATE statistic, fx_rate, source_fetch') })
}

/** Returns every value and its origin as text, to check that a failed fetch has changed none of them. */
export async function readValues(pool: Database): Promise<string[]> {
  const { rows } = await pool.query<{ row: string }>(
    `SELECT concat_ws(' ', series, date, coalesce(trim_scale(value)::text, 'unknown'), source, fetched_at) AS row FROM statistic
     UNION ALL SELECT concat_ws(' ', currency, date, trim_scale(rate), source, fetched_at) FROM fx_rate ORDER BY 1`,
  )
  return rows.map(({ row }) => row)
}

export async function marketVersion(pool: Database): Promise<number> {
  const { rows } = await pool.query<{ version: number; market_version: number }>('SELECT version, market_version FROM service_state')
  return rows[0]?.market_version ?? 0
}

export type AttemptRow = { source: string; status: number | null; rows: number | null; changed: number | null; error: string | null; as_of: string | null }

/** Returns the recorded fetches, oldest first. Omits imports of bundled files. */
export async function readAttempts(pool: Database): Promise<AttemptRow[]> {
  const { rows } = await pool.query<AttemptRow>(
    `SELECT source, status, rows, changed, error, as_of::text FROM source_fetch WHERE url NOT LIKE 'bundle:%' ORDER BY fetched_at, id`,
  )
  return rows
}

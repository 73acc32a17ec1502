import { Pool } from 'pg'
import { afterAll, beforeEach } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../support/database.ts'

/** Ends the pool and waits until its connections are closed: it says that it has ended before they are, and dropping the database cuts them. */
async function closePool(pool: Pool): Promise<void> {
  let open = pool.totalCount
  const closed = new Promise<void>((resolve) => {
    if (open === 0) resolve()
    pool.on('remove', () => {
      open -= 1
      if (open === 0) resolve()
    })
  })
  await pool.end()
  await closed
}

/** A database of its own for a test file, without statistics before each test. Call it at the top of the file, once. */
export function statisticsDatabase(): { readonly pool: Pool } {
  let database: TestDatabase | undefined
  let pool: Pool | undefined
  beforeEach(async () => {
    database ??= await cloneDatabase()
    // Idle connections stay, so that none is about to close when the pool ends.
    pool ??= new Pool({ connectionString: database.url, max: 6, idleTimeoutMillis: 0 })
    await pool.query('TRUNCATE statistic, fx_rate, source_fetch')
  })
  afterAll(async () => {
    if (pool) await closePool(pool)
    await database?.drop()
  })
  return {
    get pool() {
      if (pool === undefined) throw new Error('The pool is there from the first test on.')
      return pool
    },
  }
}

/** Every value and where it came from, as text; what a failed fetch must leave alone is compared by it. */
export async function readValues(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ row: string }>(
    `SELECT concat_ws(' ', series, date, coalesce(trim_scale(value)::text, 'unknown'), source, fetched_at) AS row FROM statistic
     UNION ALL SELECT concat_ws(' ', currency, date, trim_scale(rate), source, fetched_at) FROM fx_rate ORDER BY 1`,
  )
  return rows.map(({ row }) => row)
}

export async function marketVersion(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ version: number; market_version: number }>('SELECT version, market_version FROM service_state')
  return rows[0]?.market_version ?? 0
}

export type AttemptRow = { source: string; status: number | null; rows: number | null; changed: number | null; error: string | null; as_of: string | null }

/** What is kept of the fetches, oldest first, without what came with the release. */
export async function readAttempts(pool: Pool): Promise<AttemptRow[]> {
  const { rows } = await pool.query<AttemptRow>(
    `SELECT source, status, rows, changed, error, as_of::text FROM source_fetch WHERE url NOT LIKE 'bundle:%' ORDER BY fetched_at, id`,
  )
  return rows
}

import { Pool } from 'pg'
import { afterAll, beforeEach } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../support/database.ts'

const tables = 'card, product, provider, market_import'

function openPool(url: string): Pool {
  const pool = new Pool({ connectionString: url, max: 8 })
  // The pool says that it has ended before its connections are closed, and dropping the database then ends them from the other side.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * A database of its own for a test file, with an empty market before each test. Call it at the top of the file, once; the pool is there
 * from the first test on.
 */
export function marketDatabase(): { readonly pool: Pool } {
  let database: TestDatabase | undefined
  let pool: Pool | undefined
  beforeEach(async () => {
    database ??= await cloneDatabase()
    pool ??= openPool(database.url)
    await pool.query(`TRUNCATE ${tables}`)
  })
  afterAll(async () => {
    await pool?.end()
    await database?.drop()
  })
  return {
    get pool() {
      if (pool === undefined) throw new Error('The pool is there from the first test on.')
      return pool
    },
  }
}

/** Every row of the market as text, but for times; what an import must leave alone is compared by it. */
export async function readRows(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ row: string }>(
    `SELECT 'provider ' || to_jsonb(p)::text AS row FROM provider p
     UNION ALL SELECT 'product ' || to_jsonb(p)::text FROM product p
     UNION ALL SELECT 'card ' || to_jsonb(c)::text FROM card c ORDER BY 1`,
  )
  return rows.map(({ row }) => row)
}

export async function readVersions(pool: Pool): Promise<{ version: number; marketVersion: number }> {
  const { rows } = await pool.query<{ version: number; marketVersion: number }>('SELECT version, market_version AS "marketVersion" FROM service_state')
  return rows[0] ?? { version: 0, marketVersion: 0 }
}

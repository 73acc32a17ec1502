import type { Database } from '#server/db/prisma.ts'
import { ownDatabase } from '../support/own-database.ts'

const tables = 'daily_file, market_event, moved_row, rate_change, service_quality, account_offer, switch_offer, card, product, provider, market_import'

/**
 * Creates a database for one test file, with an empty market before each test, or a seeded one for tests that only read. Call it once at the top of the
 * file; the pool is available from the first test on.
 */
export function marketDatabase({ isSeeded = false } = {}): { readonly pool: Database } {
  return ownDatabase(isSeeded ? {} : { prepare: (pool) => pool.query(`TRUNCATE ${tables}`) })
}

/** Returns every row of the market as text without timestamps, to check that an import has changed none of them. */
export async function readRows(pool: Database): Promise<string[]> {
  const { rows } = await pool.query<{ row: string }>(
    `SELECT 'provider ' || to_jsonb(p)::text AS row FROM provider p
     UNION ALL SELECT 'product ' || to_jsonb(p)::text FROM product p
     UNION ALL SELECT 'card ' || to_jsonb(c)::text FROM card c
     UNION ALL SELECT 'switch_offer ' || to_jsonb(s)::text FROM switch_offer s
     UNION ALL SELECT 'account_offer ' || to_jsonb(a)::text FROM account_offer a
     UNION ALL SELECT 'service_quality ' || to_jsonb(q)::text FROM service_quality q ORDER BY 1`,
  )
  return rows.map(({ row }) => row)
}

export async function readVersions(pool: Database): Promise<{ version: number; marketVersion: number }> {
  const { rows } = await pool.query<{ version: number; marketVersion: number }>('SELECT version, market_version AS "marketVersion" FROM service_state')
  return rows[0] ?? { version: 0, marketVersion: 0 }
}

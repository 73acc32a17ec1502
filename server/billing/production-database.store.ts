import type { Pool } from 'pg'

const undefinedTable = '42P01'
const undefinedColumn = '42703'

/** Runs a boolean query. Returns false on a database that was never migrated, or that is older than the table or column. */
async function readFlag(pool: Pool, sql: string): Promise<boolean> {
  try {
    return (await pool.query<{ holds: boolean }>(sql)).rows[0]?.holds ?? false
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === undefinedTable || code === undefinedColumn) return false
    throw error
  }
}

/** True if the service ever started in production on this database. */
export const hasServedProduction = (pool: Pool): Promise<boolean> => readFlag(pool, 'SELECT serves_production AS holds FROM service_state')

/** True if a purchase was ever paid with real money. */
export const holdsLivePurchases = (pool: Pool): Promise<boolean> =>
  readFlag(pool, "SELECT EXISTS (SELECT FROM top_up WHERE mode = 'live' AND state = 'paid') AS holds")

export async function setServesProduction(pool: Pool): Promise<void> {
  await pool.query('UPDATE service_state SET serves_production = true WHERE NOT serves_production')
}

import type { Database } from '#server/db/prisma.ts'

const undefinedTable = '42P01'
const undefinedColumn = '42703'

/** Runs a boolean query. Returns false on a database that was never migrated, or that is older than the table or column. */
async function readFlag(pool: Database, sql: string): Promise<boolean> {
  try {
    return (await pool.query<{ holds: boolean }>(sql)).rows[0]?.holds ?? false
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === undefinedTable || code === undefinedColumn) return false
    throw error
  }
}

/** True if the service ever started in production on this database. */
export const hasServedProduction = (pool: Database): Promise<boolean> => readFlag(pool, 'SELECT serves_production AS holds FROM service_state')

/** True if a purchase was ever paid with real money. */
export const holdsLivePurchases = (pool: Database): Promise<boolean> =>
  readFlag(pool, "SELECT EXISTS (SELECT FROM top_up WHERE mode = 'live' AND state = 'paid') AS holds")

export async function setServesProduction(pool: Database): Promise<void> {
  await pool.query('UPDATE service_state SET serves_production = true WHERE NOT serves_production')
}

/** Matches purchases without real money (simulated or Stripe test mode) that were not fully refunded. */
const unreversed = "t.mode <> 'live' AND t.state = 'paid' AND t.refunded_credits < t.credits"

type SimulatedRow = { id: string; top_up: string; account: string; mode: 'test' | 'simulated'; credits: string }

/** Returns a page of the purchases that match `unreversed`, oldest first. `credits` excludes credits already taken back, for example by a dispute. */
export async function readSimulated(pool: Database, afterId: string, limit: number): Promise<SimulatedRow[]> {
  const { rows } = await pool.query<SimulatedRow>(
    `SELECT t.id, t.public_id AS top_up, a.public_id AS account, t.mode, t.credits - t.refunded_credits - t.disputed_credits AS credits
     FROM top_up t JOIN account a ON a.id = t.account_id WHERE ${unreversed} AND t.id > $1 ORDER BY t.id LIMIT $2`,
    [afterId, limit],
  )
  return rows
}

export async function countSimulated(pool: Database): Promise<{ purchases: number; credits: string }> {
  const { rows } = await pool.query<{ purchases: number; credits: string }>(
    `SELECT count(*)::int AS purchases, coalesce(sum(t.credits - t.refunded_credits - t.disputed_credits), 0) AS credits FROM top_up t WHERE ${unreversed}`,
  )
  return rows[0] ?? { purchases: 0, credits: '0' }
}

/** Reverses a purchase like a full refund: entry, balance and notice in one statement. Does nothing if it is already reversed. */
export async function reverseSimulated(pool: Database, id: string): Promise<void> {
  await pool.query(
    `SELECT apply_refund(NULL, NULL, false, clock_timestamp(), t.payment_intent_id, 're_reversed_' || t.public_id, t.amount_pence, 'reversed', true, 1)
     FROM top_up t WHERE ${unreversed} AND t.id = $1`,
    [id],
  )
}

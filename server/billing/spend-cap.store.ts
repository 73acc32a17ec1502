import type { Pool, PoolClient } from 'pg'

export type CapRow = { month_cap: string | null; month_spent: string }

const columns = 'month_cap, spent_in_month(wallet, clock_timestamp()) AS month_spent'

/** Returns the cap of an account and its spend in the current UTC month. */
export async function readCap(pool: Pool, accountId: number): Promise<CapRow | undefined> {
  const { rows } = await pool.query<CapRow>(`SELECT ${columns} FROM wallet WHERE account_id = $1`, [accountId])
  return rows[0]
}

/** Sets the cap and returns the previous one. The charging statement reads it under the same lock, so it applies from the next call on. */
export async function writeCap(client: PoolClient, accountId: number, cap: number | null): Promise<string | null> {
  const { rows } = await client.query<{ month_cap: string | null }>('SELECT month_cap FROM wallet WHERE account_id = $1 FOR NO KEY UPDATE', [accountId])
  await client.query('UPDATE wallet SET month_cap = $2 WHERE account_id = $1', [accountId, cap])
  return rows[0]?.month_cap ?? null
}

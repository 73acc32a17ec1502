import type { Pool } from 'pg'

/** Returns the credits a live key could spend right now: the minimum of the balance and what the account cap and the key cap leave. Not a reservation. */
export async function readSpendable(pool: Pool, accountId: number, keyId: number): Promise<number> {
  const { rows } = await pool.query<{ credits: string }>(
    `SELECT least(w.balance, w.month_cap - spent_in_month(w, t.now), k.month_cap - CASE WHEN k.month = month_of(t.now) THEN k.month_spent ELSE 0 END) AS credits
     FROM wallet w JOIN key_meter k ON k.account_id = w.account_id, (SELECT clock_timestamp() AS now) t WHERE w.account_id = $1 AND k.key_id = $2`,
    [accountId, keyId],
  )
  return Number(rows[0]?.credits ?? 0)
}

import type { Pool, PoolClient } from 'pg'
import { queryWithin } from '../db/query-within.ts'

export async function readThresholds(db: Pool | PoolClient, accountId: number): Promise<number[] | null> {
  const { rows } = await db.query<{ thresholds: string[] }>('SELECT thresholds FROM balance_alert WHERE account_id = $1', [accountId])
  return rows[0]?.thresholds.map(Number) ?? null
}

/** Sets the thresholds, falling; those that the balance is above are armed. */
export async function writeThresholds(client: PoolClient, accountId: number, thresholds: readonly number[]): Promise<void> {
  await client.query(
    `INSERT INTO balance_alert AS b (account_id, thresholds, armed)
     SELECT account_id, $2::bigint[], ARRAY(SELECT t FROM unnest($2::bigint[]) t WHERE t < balance ORDER BY t DESC) FROM wallet WHERE account_id = $1
     ON CONFLICT (account_id) DO UPDATE SET thresholds = excluded.thresholds, armed = excluded.armed`,
    [accountId, thresholds],
  )
}

/** A pass behind a backlog, as after a day without a worker, reads more of the log than anybody who waits for a page may. */
const passWithinMs = 60_000

/**
 * Writes a notice for every account that was charged down to a threshold that has not been told since the last credit. Of several processes one looks at a
 * time. Returns how many were written.
 */
export async function noticeLowBalances(pool: Pool): Promise<number> {
  const [row] = await queryWithin<{ told: number | null }>(pool, passWithinMs, 'SELECT tell_low_balances() AS told', [])
  return row?.told ?? 0
}

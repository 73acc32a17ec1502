import type { Pool, PoolClient } from 'pg'

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

/**
 * Writes a notice for every account whose balance fell to a threshold that has not been told since the last credit: one notice, of the lowest that was
 * passed. What was told is disarmed in the same statement, so that of several processes one tells it. Returns how many were written.
 */
export async function noticeLowBalances(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `WITH fallen AS (
       UPDATE balance_alert b SET armed = ARRAY(SELECT t FROM unnest(b.armed) t WHERE t < w.balance ORDER BY t DESC)
       FROM wallet w WHERE w.account_id = b.account_id AND b.armed[1] >= w.balance
       RETURNING b.account_id, w.balance, (SELECT min(t) FROM unnest(b.thresholds) t WHERE t >= w.balance) AS threshold)
     INSERT INTO billing_notice (account_id, kind, data)
     SELECT account_id, 'balance.low', jsonb_build_object('balanceCredits', balance, 'thresholdCredits', threshold) FROM fallen`,
  )
  return rowCount ?? 0
}

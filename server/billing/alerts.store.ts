import type { Pool, PoolClient } from 'pg'
import { queryWithin } from '#server/db/query-within.ts'

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

/** A look behind a backlog, as after a day without a worker, reads more of the log than anybody who waits for a page may. */
const lookWithinMs = 60_000

/** Accounts whose wallets a look holds while it tells them. */
const toldAtOnce = 500

/**
 * Writes a notice, and the event for endpoints that want it, for every account that was charged down to a threshold that has not been told since the last
 * credit. It looks at some at a time, each time in a transaction of its own, until there are no more. Of several processes one looks at a time. Returns how
 * many were told.
 */
export async function noticeLowBalances(pool: Pool, signal?: AbortSignal): Promise<number> {
  for (let all = 0; ; ) {
    const [row] = await queryWithin<{ told: number | null; more: boolean | null }>(pool, lookWithinMs, 'SELECT told, more FROM tell_low_balances($1)', [
      toldAtOnce,
    ])
    all += row?.told ?? 0
    if (row?.more !== true || signal?.aborted) return all
  }
}

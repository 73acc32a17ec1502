import type { Pool, PoolClient } from 'pg'
import { queryWithin } from '#server/db/query-within.ts'

export async function readThresholds(db: Pool | PoolClient, accountId: number): Promise<number[] | null> {
  const { rows } = await db.query<{ thresholds: string[] }>('SELECT thresholds FROM balance_alert WHERE account_id = $1', [accountId])
  return rows[0]?.thresholds.map(Number) ?? null
}

/** Sets the thresholds, highest first, and arms those below the balance. */
export async function writeThresholds(client: PoolClient, accountId: number, thresholds: readonly number[]): Promise<void> {
  await client.query(
    `INSERT INTO balance_alert AS b (account_id, thresholds, armed)
     SELECT account_id, $2::bigint[], ARRAY(SELECT t FROM unnest($2::bigint[]) t WHERE t < balance ORDER BY t DESC) FROM wallet WHERE account_id = $1
     ON CONFLICT (account_id) DO UPDATE SET thresholds = excluded.thresholds, armed = excluded.armed`,
    [accountId, thresholds],
  )
}

/** One minute: after a backlog, such as a day without a worker, a run reads more of the log than the page timeout allows. */
const lookTimeoutMs = 60_000

/** Accounts per transaction, which locks their wallets. */
const maxAccountsPerRun = 500

/**
 * Writes a notice, and an event for webhooks that subscribe to it, for every account whose charges took its balance below an armed threshold. Works in
 * bounded transactions until it has caught up, in one process at a time. Returns the number of accounts notified.
 */
export async function noticeLowBalances(pool: Pool, signal?: AbortSignal): Promise<number> {
  for (let total = 0; ; ) {
    const [row] = await queryWithin<{ notified: number | null; more: boolean | null }>(
      pool,
      lookTimeoutMs,
      'SELECT told AS notified, more FROM tell_low_balances($1)',
      [maxAccountsPerRun],
    )
    total += row?.notified ?? 0
    if (row?.more !== true || signal?.aborted) return total
  }
}

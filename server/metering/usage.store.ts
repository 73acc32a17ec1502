import type { Pool } from 'pg'
import { queryWithin } from '#server/db/query-within.ts'

export type UsageRow = { balance: string; day_used: number; as_of: Date; requests: string; credits: string }

/** Balance, exact, and what was used in the running UTC day as far as the log has been added up. */
export async function readUsage(pool: Pool, accountId: number): Promise<UsageRow | undefined> {
  const { rows } = await pool.query<UsageRow>({
    name: 'read-usage',
    text: `SELECT w.balance, CASE WHEN w.day = floor(extract(epoch FROM now()) / 86400) THEN w.day_used ELSE 0 END AS day_used, p.as_of,
             coalesce(sum(u.requests) FILTER (WHERE u.status <> 429), 0)::bigint AS requests, coalesce(sum(u.credits), 0)::bigint AS credits
           FROM wallet w CROSS JOIN usage_progress p
           LEFT JOIN usage_day u ON u.account_id = w.account_id AND u.day = (now() AT TIME ZONE 'UTC')::date
           WHERE w.account_id = $1 GROUP BY w.balance, w.day, w.day_used, p.as_of`,
    values: [accountId],
  })
  return rows[0]
}

/** Adds new rows of the log to the usage of each day; null when another process is doing it. */
export async function addUpUsage(pool: Pool): Promise<Date | null> {
  const { rows } = await pool.query<{ as_of: Date | null }>('SELECT add_up_usage() AS as_of')
  return rows[0]?.as_of ?? null
}

/** Makes the pages of the log that have become full known to the index that finds new rows, so that nobody has to look at them again. */
export async function summariseLog(pool: Pool): Promise<void> {
  await pool.query('SELECT summarise_log()')
}

/** Makes the log's partitions for the days to come and drops idempotency rows that no longer count. */
export async function keepPartitions(pool: Pool): Promise<void> {
  await pool.query("SELECT make_log_partitions((now() AT TIME ZONE 'UTC')::date - 1, 10)")
  // A row that a batch is using at this moment is left for the next turn: waiting for it could cross the batch.
  await pool.query(
    `DELETE FROM idempotency WHERE (account_id, key) IN (
       SELECT account_id, key FROM idempotency WHERE at < now() - interval '10 minutes' LIMIT 10000 FOR UPDATE SKIP LOCKED)`,
  )
}

/** A day of a busy service has millions of rows to add up. */
const dropWithinMs = 120_000

/** Drops the oldest day of the log that is older than so many days, and keeps what it charged; null: there is none, or it has to wait. */
export async function dropLogDay(pool: Pool, olderThanDays: number): Promise<Date | null> {
  const text = "SELECT drop_expired_log_day((now() AT TIME ZONE 'UTC')::date - $1::int) AS day"
  const [row] = await queryWithin<{ day: Date | null }>(pool, dropWithinMs, text, [olderThanDays])
  return row?.day ?? null
}

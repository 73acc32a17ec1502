import type { Pool } from 'pg'
import { queryWithin } from '#server/db/query-within.ts'

export type UsageRow = { balance: string; day_used: number; as_of: Date; requests: string; credits: string }

/** Returns the exact balance, and the usage of the current UTC day as far as the log has been aggregated. */
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

/** Adds new log rows to the daily usage; returns null if another process is doing so. */
export async function addUpUsage(pool: Pool): Promise<Date | null> {
  const { rows } = await pool.query<{ as_of: Date | null }>('SELECT add_up_usage() AS as_of')
  return rows[0]?.as_of ?? null
}

/** Summarises full pages of the log in the BRIN index, so that the search for new rows can skip them. */
export async function summariseLog(pool: Pool): Promise<void> {
  await pool.query('SELECT summarise_log()')
}

/** Creates the log partitions of the coming days and deletes expired idempotency rows. */
export async function maintainPartitions(pool: Pool): Promise<void> {
  await pool.query("SELECT make_log_partitions((now() AT TIME ZONE 'UTC')::date - 1, 10)")
  // Skip rows that a batch is using; waiting for them could deadlock with the batch.
  await pool.query(
    `DELETE FROM idempotency WHERE (account_id, key) IN (
       SELECT account_id, key FROM idempotency WHERE at < now() - interval '10 minutes' LIMIT 10000 FOR UPDATE SKIP LOCKED)`,
  )
}

/** Two minutes: a day of a busy service has millions of rows to add up. */
const dropTimeoutMs = 120_000

/** Drops the oldest log day older than this many days, keeping the sum of its charges. Returns null if there is none or it can't be dropped yet. */
export async function dropLogDay(pool: Pool, olderThanDays: number): Promise<Date | null> {
  const text = "SELECT drop_expired_log_day((now() AT TIME ZONE 'UTC')::date - $1::int) AS day"
  const [row] = await queryWithin<{ day: Date | null }>(pool, dropTimeoutMs, text, [olderThanDays])
  return row?.day ?? null
}

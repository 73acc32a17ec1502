/** Inserts a million log rows of one account over thirty days, and computes the usage figures from the log. */
import type { Pool } from 'pg'

export const calls = 1_000_000
export const days = 30

/** Inserts calls spread over the account's keys, twelve endpoints and four statuses; every seventh costs one credit. The wallet is not updated. */
export async function fillCalls(pool: Pool, accountId: number): Promise<void> {
  await pool.query("SELECT make_log_partitions((now() AT TIME ZONE 'UTC')::date - $1::int, $1::int + 1)", [days])
  await pool.query(
    `INSERT INTO request_log (id, account_id, key_id, balance, at, credits, units, endpoint, status, error)
     SELECT (lpad(to_hex(ms), 12, '0') || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid, $1, k.ids[1 + g % cardinality(k.ids)], 0,
       to_timestamp((ms + 1 + (g * 31) % 40) / 1000.0), (g % 7 = 0)::int, 1, 1 + g % 12, (ARRAY[200, 200, 200, 304, 400, 429])[1 + (g / 13) % 6], 0
     FROM (SELECT array_agg(id) AS ids FROM api_key WHERE account_id = $1) k,
       generate_series(1, $2::int) g,
       LATERAL (SELECT md5(g::text) AS h, (extract(epoch FROM now()) * 1000)::bigint - 60000 - ((g::bigint * 7919) % $2) * ($3::bigint * 86400000 / $2) AS ms) m`,
    [accountId, calls, days - 1],
  )
}

export type Amounts = { calls: number; credits: number }

/** Computes the figures of a page from the log: calls and credits by day and endpoint, and latencies. */
export async function scanLog(pool: Pool, accountId: number, from: string, to: string): Promise<Amounts> {
  const range = `account_id = $1 AND at >= $2::date::timestamp AT TIME ZONE 'UTC' AND at < ($3::date + 1)::timestamp AT TIME ZONE 'UTC'`
  const { rows } = await pool.query<{ calls: number; credits: number }>(
    `SELECT (at AT TIME ZONE 'UTC')::date, endpoint, count(*)::int AS calls, sum(credits)::int AS credits FROM request_log WHERE ${range} GROUP BY 1, 2`,
    [accountId, from, to],
  )
  await pool.query(`SELECT endpoint, percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY took_ms(id, at)) FROM request_log WHERE ${range} GROUP BY 1`, [
    accountId,
    from,
    to,
  ])
  return rows.reduce((sum, row) => ({ calls: sum.calls + row.calls, credits: sum.credits + row.credits }), { calls: 0, credits: 0 })
}

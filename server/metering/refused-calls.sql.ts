/**
 * Rejected calls of keys over their rate limit. Prisma cannot read counters together with the database's clock in one statement, or call the function that adds
 * a batch to several totals.
 */
import type { Database } from '#server/db/prisma.ts'

/** Counters and versions of a key and its account, read without a lock. PostgreSQL returns bigint columns as text. */
export type KeyCountersRow = {
  key_id: string
  key_version: number
  account_version: number
  service_version: number
  has_ended: boolean
  live: boolean
  balance: string
  minute_limit: number
  minute_used: number
  day_limit: number
  day_used: number
  now_ms: string
}

/** Returns key counters for the current minute and day of the database clock, which is read after the rows. */
export async function readKeyCounters(pool: Database, keyIds: readonly number[]): Promise<KeyCountersRow[]> {
  const { rows } = await pool.query<KeyCountersRow>({
    name: 'read-key-counters',
    text: `WITH t AS (SELECT clock_timestamp() AS now)
      SELECT m.key_id, m.version AS key_version, w.version AS account_version, s.version AS service_version, m.live, w.balance,
        coalesce(m.ends_at <= t.now, false) AS has_ended,
        coalesce(m.own_minute_limit, w.minute_limit) AS minute_limit,
        CASE WHEN m.minute = floor(extract(epoch FROM t.now) / 60) THEN m.minute_used ELSE 0 END AS minute_used,
        w.day_limit, CASE WHEN w.day = floor(extract(epoch FROM t.now) / 86400) THEN w.day_used ELSE 0 END AS day_used,
        floor(extract(epoch FROM t.now) * 1000)::bigint AS now_ms
      FROM key_meter m JOIN wallet w ON w.account_id = m.account_id CROSS JOIN service_state s CROSS JOIN t
      WHERE m.key_id = ANY ($1::bigint[])`,
    values: [keyIds],
  })
  return rows
}

/** Number of rejected calls of one key, endpoint, status, minute and latency bucket. */
export type RefusedSum = {
  readonly accountId: number
  readonly keyId: number
  readonly endpoint: number
  readonly status: number
  readonly minuteMs: number
  readonly bucket: number
  requests: number
}

/** Adds rejected calls to the usage figures and to the counts of calls that are not in the log. */
export async function addRefusedCalls(pool: Database, sums: readonly RefusedSum[]): Promise<void> {
  await pool.query('SELECT add_refused_calls($1, $2, $3, $4, $5, $6, $7)', [
    sums.map(({ accountId }) => accountId),
    sums.map(({ keyId }) => keyId),
    sums.map(({ endpoint }) => endpoint),
    sums.map(({ status }) => status),
    sums.map(({ minuteMs }) => new Date(minuteMs)),
    sums.map(({ bucket }) => bucket),
    sums.map(({ requests }) => requests),
  ])
}

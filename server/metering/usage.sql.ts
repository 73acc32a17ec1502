/**
 * Usage totals and rejected calls. Uses raw SQL, because Prisma cannot call the functions that roll them up, or group by expressions, rank groups, and read
 * counters with the database's clock in one statement.
 */
import type { Database } from '#server/db/prisma.ts'
import { inLongTransaction } from '#server/db/transaction.ts'

export type UsageRow = { balance: string; day_used: number; as_of: Date; requests: string; credits: string }

/** Returns the exact balance, and the usage of the current UTC day as far as the log has been aggregated. */
export async function readUsage(pool: Database, accountId: number): Promise<UsageRow | undefined> {
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

/** Adds new log rows to the daily usage; returns null if another process is already adding them. */
export async function addUpUsage(pool: Database): Promise<Date | null> {
  await pool.query('SELECT start_epoch()')
  const { rows } = await pool.query<{ as_of: Date | null }>('SELECT roll_up_usage() AS as_of')
  return rows[0]?.as_of ?? null
}

/** Summarises full pages of the log in the BRIN index, so that the search for new rows can skip them. */
export async function summariseLog(pool: Database): Promise<void> {
  await pool.query('SELECT summarise_log()')
}

/** Creates the log partitions for the coming days and deletes expired idempotency rows. */
export async function maintainPartitions(pool: Database): Promise<void> {
  await pool.query("SELECT make_log_partitions((now() AT TIME ZONE 'UTC')::date - 1, 10)")
  await pool.query('SELECT delete_expired_idempotency()')
}

/** Set to two minutes, because on a busy service a day has millions of rows to add up. */
const dropTimeoutMs = 120_000

/**
 * Drops the oldest day of the log if it is more than `olderThanDays` days old, but keeps the total of its charges. Returns null if there is no such day or it
 * can't be dropped yet.
 */
export async function dropLogDay(pool: Database, olderThanDays: number): Promise<Date | null> {
  const text = "SELECT drop_expired_log_day((now() AT TIME ZONE 'UTC')::date - $1::int) AS day"
  const { rows } = await inLongTransaction(pool, dropTimeoutMs, (tx) => tx.query<{ day: Date | null }>(text, [olderThanDays]))
  return rows[0]?.day ?? null
}

/** Returns true if usage progress is ahead of this cluster's transaction ids, which means that the log was written by another cluster. */
export async function isMovedLog(pool: Database): Promise<boolean> {
  const { rows } = await pool.query<{ moved: boolean }>(
    'SELECT next_tx > pg_snapshot_xmax(pg_current_snapshot())::text::bigint AND NOT is_distributed() AS moved FROM usage_progress',
  )
  return rows[0]?.moved === true
}

/** Set to one hour, because every row of the log is rewritten. */
const renumberTimeoutMs = 3_600_000

/** Renumbers the rows of a log that was written by another cluster, for example after a restore. Returns null if another process has just renumbered them. */
export async function renumberRows(pool: Database): Promise<number | null> {
  const { rows } = await inLongTransaction(pool, renumberTimeoutMs, (tx) => tx.query<{ rows: string | null }>('SELECT adopt_moved_log() AS rows'))
  return rows[0]?.rows == null ? null : Number(rows[0].rows)
}

/** Deletes up to `max` rows of hourly usage that are older than 32 days, and returns how many were deleted. */
export async function deleteUsageHours(pool: Database, max: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM usage_hour WHERE ctid = ANY (ARRAY(SELECT ctid FROM usage_hour WHERE hour < now() - interval '32 days' LIMIT $1 FOR UPDATE SKIP LOCKED))`,
    [max],
  )
  return rowCount ?? 0
}

/**
 * Returns the credits that a live key could spend now: the lowest of the balance, the remaining account cap and the remaining key cap. Doesn't reserve any
 * credits.
 */
export async function readSpendable(pool: Database, accountId: number, keyId: number): Promise<number> {
  const { rows } = await pool.query<{ credits: string }>('SELECT spendable_credits($1, $2) AS credits', [accountId, keyId])
  return Number(rows[0]?.credits ?? 0)
}

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

/** Length of the periods of a report. */
export type Grain = 'hour' | 'day' | 'month'

/** Usage groupings, and the column for each. */
const groupings = { endpoint: 'endpoint', key: 'key_id', status: 'status' } as const

export type Grouping = keyof typeof groupings

/** Calls to include. `from` is inclusive, `to` exclusive. Null matches any endpoint or key. */
export type UsageRange = {
  readonly from: Date
  readonly to: Date
  readonly endpoint: number | null
  readonly keyId: number | null
  readonly minStatus: number
  readonly maxStatus: number
}

export type UsageQuestion = UsageRange & { readonly grain: Grain; readonly by: Grouping }

/** Usage of a group in one period; id -1 combines all groups that are not listed individually. */
export type GroupRow = { period: string; id: string; calls: string; credits: string; rejected: string; failed: string }

const formats = { hour: `'YYYY-MM-DD"T"HH24'`, day: "'YYYY-MM-DD'", month: "'YYYY-MM'" } as const

const isWanted = 'account_id = $1 AND ($4::smallint IS NULL OR endpoint = $4) AND ($5::bigint IS NULL OR key_id = $5) AND status BETWEEN $6 AND $7'

const inDays = `day >= ($2::timestamptz AT TIME ZONE 'UTC')::date AND day < ($3::timestamptz AT TIME ZONE 'UTC')::date`
const inHours = 'hour >= $2::timestamptz AND hour < $3::timestamptz'

/**
 * Log rows of the account that the totals don't include yet. Both are read in one statement, so that every call is counted once. The totals are complete up to
 * the time in $8, so older rows are not read; a row is logged at most two seconds after its id was created, and the margin of a minute allows for clock
 * differences.
 */
const uncounted = (grain: Grain) =>
  `SELECT to_char(at AT TIME ZONE 'UTC', ${formats[grain]}) AS period, key_id, endpoint, status, duration_bucket(duration_ms(id, at)) AS bucket,
     1::bigint AS requests, credits::bigint AS credits
   FROM request_log WHERE ${isWanted} AND at >= $2::timestamptz AND at < $3::timestamptz
     AND id >= first_id_at($8::timestamptz - interval '1 minute') AND tx >= (SELECT next_tx FROM usage_progress)`

/** Calls and credits by period, key, endpoint and status. */
const counts = (grain: Grain) =>
  grain === 'hour'
    ? `SELECT to_char(hour AT TIME ZONE 'UTC', ${formats.hour}) AS period, key_id, endpoint, status, requests, credits FROM usage_hour WHERE ${isWanted} AND ${inHours}`
    : `SELECT to_char(day, ${formats[grain]}) AS period, key_id, endpoint, status, requests, credits FROM usage_day WHERE ${isWanted} AND ${inDays}`

/** Calls by period, key, endpoint, status and latency bucket. */
const durations = (grain: Grain) =>
  grain === 'hour'
    ? `SELECT to_char(hour AT TIME ZONE 'UTC', ${formats.hour}) AS period, key_id, endpoint, status, bucket, requests FROM usage_hour WHERE ${isWanted} AND ${inHours}`
    : `SELECT to_char(day, ${formats[grain]}) AS period, key_id, endpoint, status, bucket, requests FROM usage_latency WHERE ${isWanted} AND ${inDays}`

const values = (accountId: number, { from, to, endpoint, keyId, ...status }: UsageRange, asOf: Date): unknown[] =>
  [
    [accountId, from, to, endpoint, keyId],
    [status.minStatus, status.maxStatus, asOf],
  ].flat()

/** Returns calls and credits by period and group. Groups beyond the `max` largest are combined. `asOf` is a time up to which the totals are complete. */
export async function readGroups(pool: Database, accountId: number, question: UsageQuestion, asOf: Date, max: number): Promise<GroupRow[]> {
  const { grain, by } = question
  const { rows } = await pool.query<GroupRow>(
    `WITH u AS (${counts(grain)} UNION ALL SELECT period, key_id, endpoint, status, requests, credits FROM (${uncounted(grain)}) fresh),
     s AS MATERIALIZED (
       SELECT period, ${groupings[by]}::bigint AS id, sum(requests) AS calls, sum(credits) AS credits,
         coalesce(sum(requests) FILTER (WHERE status BETWEEN 400 AND 499), 0) AS rejected, coalesce(sum(requests) FILTER (WHERE status >= 500), 0) AS failed
       FROM u GROUP BY 1, 2),
     listed AS (SELECT id FROM s GROUP BY id ORDER BY sum(credits) DESC, sum(calls) DESC, id LIMIT $9)
     SELECT s.period, coalesce(t.id, -1)::text AS id, sum(s.calls)::text AS calls, sum(s.credits)::text AS credits, sum(s.rejected)::text AS rejected,
       sum(s.failed)::text AS failed
     FROM s LEFT JOIN listed t ON t.id = s.id GROUP BY 1, 2 ORDER BY 1, 2`,
    [...values(accountId, question, asOf), max],
  )
  return rows
}

/** Latency histogram of a group or of a period; the other one is null. */
export type HistogramRow = { period: string | null; id: string | null; bucket: number; requests: string }

/** Returns latency histograms of the listed groups, with all other groups combined under -1, and of each period. */
export async function readHistograms(
  pool: Database,
  accountId: number,
  question: UsageQuestion,
  asOf: Date,
  listed: readonly string[],
): Promise<HistogramRow[]> {
  const { grain, by } = question
  const { rows } = await pool.query<HistogramRow>(
    `WITH u AS (
       SELECT period, CASE WHEN ${groupings[by]}::bigint = ANY ($9::bigint[]) THEN ${groupings[by]}::bigint ELSE -1 END AS id, bucket, requests
       FROM (${durations(grain)} UNION ALL SELECT period, key_id, endpoint, status, bucket, requests FROM (${uncounted(grain)}) fresh) d)
     SELECT period, id::text AS id, bucket, sum(requests)::text AS requests FROM u GROUP BY GROUPING SETS ((period, bucket), (id, bucket))`,
    [...values(accountId, question, asOf), listed],
  )
  return rows
}

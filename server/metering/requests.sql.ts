/**
 * Reads the request log. Prisma cannot use a lateral join to query only the days that have matching rows, or compare a request id with a time, so it would scan
 * every partition.
 */
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Database } from '#server/db/prisma.ts'
import type { NumberedFilter } from './log-filter.ts'

const shownMs = 30 * 86_400_000

/**
 * Returns the start of the period for which the log is displayed. Passed to PostgreSQL as a value: with `now()` in the statement, PostgreSQL plans and locks
 * every partition before excluding any, and after a few years the locks of a few page views would fill the shared lock table.
 */
export const shownSince = (): Date => new Date(clock.now() - shownMs)

/** Row of the request log with its stored details. The id is 32 hexadecimal digits. */
export type RequestRow = Pick<Prisma.RequestLogModel, 'id' | 'at' | 'endpoint' | 'status' | 'error' | 'units' | 'credits'> &
  KeyColumns & {
    duration_ms: string
    balance: string
    /** Path and query; null if no details were stored. */
    target: Prisma.RequestDetailModel['target'] | null
  }

type Key = Prisma.ApiKeyModel
type KeyColumns = Pick<Key, 'mode'> & { key: Key['publicId']; key_name: Key['name']; key_hint: Key['hint'] }

/** Filter for log rows; null matches any. `from` is inclusive, `to` exclusive. */
export type RequestFilter = NumberedFilter & { readonly from: Date; readonly to: Date | null }

const columns = `replace(l.id::text, '-', '') AS id, l.at, duration_ms(l.id, l.at)::text AS duration_ms, l.endpoint, l.status, l.error, l.units, l.credits,
  l.balance::text AS balance, k.public_id AS key, k.name AS key_name, k.hint AS key_hint, k.mode, d.target`
const joins = 'JOIN api_key k ON k.id = l.key_id LEFT JOIN request_detail d ON d.account_id = l.account_id AND d.id = l.id'

/**
 * Selects an account's newest requests with ids below a given id as `found`. Scans only the days that have matching requests according to the usage totals, and the days
 * not yet rolled up, so that three failures among a million calls are found immediately. A request is counted on the day it was decided, but its id contains
 * the earlier arrival time; a margin of half an hour on either side allows for this delay and for clock differences between servers.
 */
const newestMatching = `WITH days AS (
       SELECT day FROM usage_day WHERE account_id = $1 AND day >= ($8::timestamptz AT TIME ZONE 'UTC')::date - 1
         AND ($9::timestamptz IS NULL OR day <= ($9::timestamptz AT TIME ZONE 'UTC')::date)
         AND ($2::smallint IS NULL OR endpoint = $2) AND status BETWEEN $3 AND $7 AND ($4::bigint IS NULL OR key_id = $4)
       UNION SELECT generate_series((as_of AT TIME ZONE 'UTC')::date, (now() AT TIME ZONE 'UTC')::date, interval '1 day')::date FROM usage_progress),
     found AS (
       SELECT r.* FROM days CROSS JOIN LATERAL (
         SELECT * FROM request_log r WHERE r.account_id = $1 AND r.id < $5 AND r.id >= first_id_at($8::timestamptz)
           AND ($9::timestamptz IS NULL OR r.id < first_id_at($9::timestamptz))
           AND r.id >= first_id_at(day::timestamp AT TIME ZONE 'UTC' - interval '30 minutes')
           AND r.id < first_id_at(day::timestamp AT TIME ZONE 'UTC' + interval '1 day 30 minutes')
           AND r.at >= day::timestamp AT TIME ZONE 'UTC' AND r.at < day::timestamp AT TIME ZONE 'UTC' + interval '1 day'
           AND ($2::smallint IS NULL OR r.endpoint = $2) AND r.status BETWEEN $3 AND $7 AND ($4::bigint IS NULL OR r.key_id = $4)
         ORDER BY r.id DESC LIMIT $6) r
       ORDER BY r.id DESC LIMIT $6)`

/** Returns the first nine parameters of a statement with `newestMatching`. */
function toValues(accountId: number, filter: RequestFilter, below: string, limit: number) {
  return [accountId, filter.endpoint, filter.minStatus, filter.keyId, below, limit, filter.maxStatus, filter.from, filter.to]
}

/** Returns an account's newest requests with ids below a given id. */
export async function readRequests(pool: Database, accountId: number, filter: RequestFilter, below: string, limit: number): Promise<RequestRow[]> {
  const { rows } = await pool.query<RequestRow>(
    `${newestMatching} SELECT ${columns} FROM found l ${joins} ORDER BY l.id DESC`,
    toValues(accountId, filter, below, limit),
  )
  return rows
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Failed calls of one key with one error code. `error` is the number of the code; `message` is the message of the newest call, or null if it is not stored. */
export type ErrorGroupRow = KeyColumns & Pick<Prisma.RequestLogModel, 'error'> & { calls: number; last: Date; message: string | null }

/** Groups an account's newest requests that match a filter by key and error code, the most frequent first. Reads at most `max` requests. */
export async function readErrorGroups(pool: Database, accountId: number, filter: RequestFilter, max: number, limit: number): Promise<ErrorGroupRow[]> {
  const { rows } = await pool.query<ErrorGroupRow>(
    `${newestMatching} SELECT g.*, d.message FROM (
       SELECT k.public_id AS key, k.name AS key_name, k.hint AS key_hint, k.mode, l.error, count(*)::int AS calls, max(l.at) AS last,
         (array_agg(l.id ORDER BY l.id DESC))[1] AS last_id
       FROM found l JOIN api_key k ON k.id = l.key_id GROUP BY k.id, l.error ORDER BY calls DESC, last DESC LIMIT $10) g
     LEFT JOIN request_detail d ON d.account_id = $1 AND d.id = g.last_id ORDER BY calls DESC, last DESC`,
    [...toValues(accountId, filter, lastId, max), limit],
  )
  return rows
}

type TargetSearch = {
  /** Lower-case strings, one of which the stored path and query must contain. */
  readonly forms: readonly string[]
  /** Number of stored requests to read. */
  readonly max: number
}

/**
 * Returns an account's newest requests whose path and query contain a string. Reads a limited number of stored requests; `searchedTo` is the id of the last one if
 * there may be more.
 */
export async function searchTargets(
  pool: Database,
  accountId: number,
  filter: RequestFilter,
  below: string,
  limit: number,
  { forms, max }: TargetSearch,
): Promise<{ rows: RequestRow[]; searchedTo: string | null }> {
  const { rows } = await pool.query<RequestRow & { searched_to: string | null }>(
    `WITH read AS MATERIALIZED (
       SELECT id, target FROM request_detail WHERE account_id = $1 AND id < $5 AND id >= first_id_at($8::timestamptz)
         AND ($9::timestamptz IS NULL OR id < first_id_at($9::timestamptz)) ORDER BY id DESC LIMIT $11),
     matching AS (SELECT id FROM read WHERE EXISTS (SELECT FROM unnest($10::text[]) form WHERE strpos(lower(target), form) > 0)),
     found AS (
       SELECT r.* FROM matching m JOIN request_log r ON r.account_id = $1 AND r.id = m.id AND r.id >= first_id_at($8::timestamptz)
         AND ($2::smallint IS NULL OR r.endpoint = $2) AND r.status BETWEEN $3 AND $7 AND ($4::bigint IS NULL OR r.key_id = $4)
       ORDER BY r.id DESC LIMIT $6),
     progress AS (
       SELECT CASE WHEN (SELECT count(*) FROM read) = $11 THEN (SELECT replace(id::text, '-', '') FROM read ORDER BY id LIMIT 1) END AS searched_to)
     SELECT p.searched_to, f.* FROM progress p LEFT JOIN (SELECT ${columns} FROM found l ${joins}) f ON true ORDER BY f.id DESC`,
    [accountId, filter.endpoint, filter.minStatus, filter.keyId, below, limit, filter.maxStatus, filter.from, filter.to, forms, max],
  )
  return { rows: rows.filter(({ id }) => id !== null), searchedTo: rows[0]?.searched_to ?? null }
}

/** Returns an account's requests with ids in a range (inclusive), newest first. */
export async function readRequestRange(pool: Database, accountId: number, from: string, to: string, limit: number): Promise<RequestRow[]> {
  const { rows } = await pool.query<RequestRow>(
    `SELECT ${columns} FROM request_log l ${joins} WHERE l.account_id = $1 AND l.id BETWEEN $2 AND $3 AND l.id >= first_id_at($5::timestamptz) ORDER BY l.id DESC LIMIT $4`,
    [accountId, from, to, limit, shownSince()],
  )
  return rows
}

export type RequestAccount = Pick<Prisma.AccountModel, 'id' | 'publicId' | 'email'>

/** Returns the account that made a request. The request id contains the time, which limits the days to search. */
export async function readRequestAccount(pool: Database, id: string): Promise<RequestAccount | null> {
  const { rows } = await pool.query<RequestAccount>(
    `SELECT a.id, a.public_id AS "publicId", a.email FROM request_log l JOIN account a ON a.id = l.account_id WHERE l.id = $1 AND l.id >= first_id_at($2::timestamptz) LIMIT 1`,
    [id, shownSince()],
  )
  return rows[0] ?? null
}

/** Inserts request details. Existing rows are left unchanged. */
export async function writeRequestDetails(pool: Database, rows: readonly Prisma.RequestDetailModel[]): Promise<void> {
  await pool.query({
    name: 'keep-request-details',
    text: `INSERT INTO request_detail (account_id, id, target, headers, message)
           SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::text[], $4::jsonb[], $5::text[]) ON CONFLICT DO NOTHING`,
    values: [
      rows.map((row) => row.accountId),
      rows.map((row) => row.id),
      rows.map((row) => row.target),
      rows.map((row) => JSON.stringify(row.headers)),
      rows.map((row) => row.message),
    ],
  })
}

/** Deletes up to `max` details that are older than 30 days and returns how many were deleted. */
export async function deleteRequestDetails(pool: Database, max: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM request_detail WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM request_detail WHERE id < first_id_at(now() - interval '30 days') LIMIT $1 FOR UPDATE SKIP LOCKED))`,
    [max],
  )
  return rowCount ?? 0
}

type PaceRow = {
  balance: string
  requests_today: string
  credits_today: string
  credits_lately: string
  /** Full UTC days since the first call, up to 14. */
  days: number
  day_used: Prisma.WalletModel['dayUsed']
  plan: Prisma.AccountModel['plan']
  custom_per_day: Prisma.AccountModel['customPerDay']
}

/**
 * Returns the balance, today's usage and limit, and the spend of up to 14 full days since the account's first call. Today's credits include the log rows that the
 * totals don't contain yet, so that they agree with the balance. `asOf` is a time up to which the totals are complete.
 */
export async function readBalanceAndPace(pool: Database, accountId: number, asOf: Date): Promise<PaceRow | undefined> {
  const { rows } = await pool.query<PaceRow>(
    `WITH t AS (SELECT (now() AT TIME ZONE 'UTC')::date AS today),
     u AS (
       SELECT day, status, requests, credits FROM usage_day WHERE account_id = $1 AND day >= (now() AT TIME ZONE 'UTC')::date - 14
       UNION ALL SELECT (at AT TIME ZONE 'UTC')::date, status, 1, credits FROM request_log
         WHERE account_id = $1 AND id >= first_id_at($2::timestamptz - interval '1 minute') AND tx >= (SELECT next_tx FROM usage_progress))
     SELECT w.balance, a.plan, a.custom_per_day,
       CASE WHEN w.day = floor(extract(epoch FROM now()) / 86400) THEN w.day_used ELSE 0 END AS day_used,
       coalesce(sum(u.requests) FILTER (WHERE u.day = t.today AND u.status <> 429), 0)::bigint AS requests_today,
       coalesce(sum(u.credits) FILTER (WHERE u.day = t.today), 0)::bigint AS credits_today,
       coalesce(sum(u.credits) FILTER (WHERE u.day BETWEEN t.today - 14 AND t.today - 1), 0)::bigint AS credits_lately,
       least(14, coalesce(t.today - min(u.day), 0))::int AS days
     FROM wallet w JOIN account a ON a.id = w.account_id CROSS JOIN t LEFT JOIN u ON true
     WHERE w.account_id = $1 GROUP BY w.balance, w.day, w.day_used, t.today, a.plan, a.custom_per_day`,
    [accountId, asOf],
  )
  return rows[0]
}

export type CallRow = Omit<RequestRow, 'units' | 'balance' | 'target' | keyof KeyColumns> & Pick<Key, 'mode'>

const callColumns = "replace(r.id::text, '-', '') AS id, r.at, duration_ms(r.id, r.at)::text AS duration_ms, r.endpoint, r.status, r.error, r.credits, k.mode"

/** Maximum number of calls to search for a successful one, so that an account with only failures is not scanned in full. */
const maxTries = 1_000

/** Returns the newest request of an account within the displayed period. Ids sort by time. */
export async function readLastRequest(pool: Database, accountId: number): Promise<CallRow | undefined> {
  const { rows } = await pool.query<CallRow>(
    `SELECT ${callColumns} FROM (SELECT * FROM request_log WHERE account_id = $1 AND id >= first_id_at($2::timestamptz) ORDER BY id DESC LIMIT 1) r
     JOIN api_key k ON k.id = r.key_id`,
    [accountId, shownSince()],
  )
  return rows[0]
}

/** Returns the account's first successful call in the displayed period, or its newest call if none of its first 1,000 succeeded. */
export async function readFirstCall(pool: Database, accountId: number): Promise<CallRow | undefined> {
  const { rows } = await pool.query<CallRow>(
    `WITH shown AS NOT MATERIALIZED (SELECT * FROM request_log WHERE account_id = $1 AND id >= first_id_at($3::timestamptz)),
     early AS (SELECT * FROM shown ORDER BY id LIMIT $2),
     found AS (
       (SELECT 1 AS place, e.* FROM early e WHERE e.status < 400 ORDER BY e.id LIMIT 1)
       UNION ALL (SELECT 2, s.* FROM shown s ORDER BY s.id DESC LIMIT 1))
     SELECT ${callColumns} FROM found r JOIN api_key k ON k.id = r.key_id ORDER BY r.place LIMIT 1`,
    [accountId, maxTries, shownSince()],
  )
  return rows[0]
}

import type { Pool } from 'pg'
import { shownSince } from './shown-log.ts'

/** Row of the request log with its stored details. The id is 32 hexadecimal digits. */
export type RequestRow = {
  id: string
  at: Date
  took_ms: string
  endpoint: number
  status: number
  error: number
  units: number
  credits: number
  balance: string
  key: string
  key_name: string
  key_hint: string
  mode: 'test' | 'live'
  /** Path and query; null if no details were stored. */
  target: string | null
}

/** Filter for log rows; null matches any. */
export type RequestFilter = {
  readonly endpoint: number | null
  readonly status: number | null
  /** Lowest status to include; 400 selects failures. */
  readonly minStatus: number | null
  readonly keyId: string | null
}

const columns = `replace(l.id::text, '-', '') AS id, l.at, took_ms(l.id, l.at)::text AS took_ms, l.endpoint, l.status, l.error, l.units, l.credits,
  l.balance::text AS balance, k.public_id AS key, k.name AS key_name, k.hint AS key_hint, k.mode, d.target`
const joins = 'JOIN api_key k ON k.id = l.key_id LEFT JOIN request_detail d ON d.account_id = l.account_id AND d.id = l.id'

/**
 * Returns an account's newest requests below an id. Scans only days that have matching requests according to the usage sums, and days not yet summed up, so
 * that three failures among a million calls are found at once. A request belongs to the day of its decision, which is later than the arrival time in
 * its id; a margin of half an hour on either side allows for that and for clock differences between servers.
 */
export async function readRequests(pool: Pool, accountId: number, filter: RequestFilter, below: string, limit: number): Promise<RequestRow[]> {
  const { rows } = await pool.query<RequestRow>(
    `WITH days AS (
       SELECT day FROM usage_day WHERE account_id = $1 AND day >= (now() AT TIME ZONE 'UTC')::date - 31
         AND ($2::smallint IS NULL OR endpoint = $2) AND ($3::smallint IS NULL OR status = $3) AND ($4::bigint IS NULL OR key_id = $4)
         AND ($7::smallint IS NULL OR status >= $7)
       UNION SELECT generate_series((as_of AT TIME ZONE 'UTC')::date, (now() AT TIME ZONE 'UTC')::date, interval '1 day')::date FROM usage_progress),
     found AS (
       SELECT r.* FROM days CROSS JOIN LATERAL (
         SELECT * FROM request_log r WHERE r.account_id = $1 AND r.id < $5 AND r.id >= first_id_at($8::timestamptz)
           AND r.id >= first_id_at(day::timestamp AT TIME ZONE 'UTC' - interval '30 minutes')
           AND r.id < first_id_at(day::timestamp AT TIME ZONE 'UTC' + interval '1 day 30 minutes')
           AND r.at >= day::timestamp AT TIME ZONE 'UTC' AND r.at < day::timestamp AT TIME ZONE 'UTC' + interval '1 day'
           AND ($2::smallint IS NULL OR r.endpoint = $2) AND ($3::smallint IS NULL OR r.status = $3) AND ($4::bigint IS NULL OR r.key_id = $4)
           AND ($7::smallint IS NULL OR r.status >= $7)
         ORDER BY r.id DESC LIMIT $6) r
       ORDER BY r.id DESC LIMIT $6)
     SELECT ${columns} FROM found l ${joins} ORDER BY l.id DESC`,
    [accountId, filter.endpoint, filter.status, filter.keyId, below, limit, filter.minStatus, shownSince()],
  )
  return rows
}

/** Returns an account's requests with ids in a range (inclusive), newest first. */
export async function readRequestRange(pool: Pool, accountId: number, from: string, to: string, limit: number): Promise<RequestRow[]> {
  const { rows } = await pool.query<RequestRow>(
    `SELECT ${columns} FROM request_log l ${joins} WHERE l.account_id = $1 AND l.id BETWEEN $2 AND $3 AND l.id >= first_id_at($5::timestamptz) ORDER BY l.id DESC LIMIT $4`,
    [accountId, from, to, limit, shownSince()],
  )
  return rows
}

export type RequestDetailColumns = { headers: Record<string, string> | null; message: string | null; given_back: boolean }

/** Returns the stored details of a request. */
export async function readRequestDetail(pool: Pool, accountId: number, id: string): Promise<RequestDetailColumns | undefined> {
  const { rows } = await pool.query<RequestDetailColumns>(
    `SELECT d.headers, d.message,
       EXISTS (SELECT FROM ledger_entry e WHERE e.account_id = $1 AND e.kind = 'reversal' AND e.reference = $2::uuid::text) AS given_back
     FROM (SELECT) nothing LEFT JOIN request_detail d ON d.account_id = $1 AND d.id = $2`,
    [accountId, id],
  )
  return rows[0]
}

/** Returns the internal id of one of the account's keys by its public id; null if the account has no such key. */
export async function readKeyId(pool: Pool, accountId: number, publicId: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>('SELECT id::text FROM api_key WHERE account_id = $1 AND public_id = $2', [accountId, publicId])
  return rows[0]?.id ?? null
}

export type RequestAccountRow = { id: string; public_id: string; email: string }

/** Returns the account that made a request. The request id contains the time, which limits the days to search. */
export async function readRequestAccount(pool: Pool, id: string): Promise<RequestAccountRow | null> {
  const { rows } = await pool.query<RequestAccountRow>(
    `SELECT a.id, a.public_id, a.email FROM request_log l JOIN account a ON a.id = l.account_id WHERE l.id = $1 AND l.id >= first_id_at($2::timestamptz) LIMIT 1`,
    [id, shownSince()],
  )
  return rows[0] ?? null
}

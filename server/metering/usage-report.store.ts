import type { Database } from '#server/db/prisma.ts'

/** Groupings of usage, and the column for each. */
const columns = { endpoint: 'endpoint', key: 'key_id', status: 'status' } as const

export type Grouping = keyof typeof columns

/** Inclusive UTC dates (YYYY-MM-DD). */
export type DayRange = { readonly from: string; readonly to: string }

/** Usage of a group on one day; id -1 combines all groups that are not listed individually. */
export type GroupDayRow = { day: string; id: string; calls: string; credits: string }

/** Returns the time up to which the totals are complete. */
export async function readAsOf(pool: Database): Promise<Date> {
  const { rows } = await pool.query<{ as_of: Date }>('SELECT as_of FROM usage_progress')
  return rows[0]?.as_of ?? new Date(0)
}

/** Returns calls and credits by day and group. Groups beyond the `max` largest are combined. */
export async function readGroupDays(pool: Database, accountId: number, by: Grouping, { from, to }: DayRange, max: number): Promise<GroupDayRow[]> {
  const { rows } = await pool.query<GroupDayRow>(
    `WITH s AS MATERIALIZED (
       SELECT day, ${columns[by]}::bigint AS id, sum(requests) AS calls, sum(credits) AS credits
       FROM usage_day WHERE account_id = $1 AND day BETWEEN $2 AND $3 GROUP BY 1, 2),
     listed AS (SELECT id FROM s GROUP BY id ORDER BY sum(credits) DESC, sum(calls) DESC, id LIMIT $4)
     SELECT to_char(s.day, 'YYYY-MM-DD') AS day, coalesce(t.id, -1)::text AS id, sum(s.calls)::text AS calls, sum(s.credits)::text AS credits
     FROM s LEFT JOIN listed t ON t.id = s.id GROUP BY 1, 2 ORDER BY 1, 2`,
    [accountId, from, to, max],
  )
  return rows
}

/** Returns the latency histograms of the listed groups, with all other groups combined under -1. */
export async function readLatency(
  pool: Database,
  accountId: number,
  by: Grouping,
  { from, to }: DayRange,
  listed: readonly string[],
): Promise<{ id: string; bucket: number; requests: string }[]> {
  const { rows } = await pool.query<{ id: string; bucket: number; requests: string }>(
    `SELECT CASE WHEN ${columns[by]}::bigint = ANY ($4::bigint[]) THEN ${columns[by]}::bigint ELSE -1 END::text AS id, bucket, sum(requests)::text AS requests
     FROM usage_latency WHERE account_id = $1 AND day BETWEEN $2 AND $3 GROUP BY 1, 2`,
    [accountId, from, to, listed],
  )
  return rows
}

export type NamedKeyRow = { id: string; public_id: string; name: string; hint: string; mode: 'test' | 'live' }

/** Returns public ids, names, hints and modes of the keys with these ids. */
export async function readKeyNames(pool: Database, accountId: number, ids: readonly string[]): Promise<NamedKeyRow[]> {
  const { rows } = await pool.query<NamedKeyRow>(
    'SELECT id::text, public_id, name, hint, mode FROM api_key WHERE account_id = $1 AND id = ANY ($2::bigint[])',
    [accountId, ids],
  )
  return rows
}

export type UsageDetailRow = { day: string; endpoint: number; key: string; name: string; mode: string; status: number; calls: string; credits: string }

/** Returns the usage of one day at full detail: by endpoint, key and status. */
export async function readDay(pool: Database, accountId: number, day: string): Promise<UsageDetailRow[]> {
  const { rows } = await pool.query<UsageDetailRow>(
    `SELECT to_char(u.day, 'YYYY-MM-DD') AS day, u.endpoint, k.public_id AS key, k.name, k.mode, u.status, u.requests::text AS calls, u.credits::text AS credits
     FROM usage_day u JOIN api_key k ON k.id = u.key_id WHERE u.account_id = $1 AND u.day = $2 ORDER BY u.endpoint, u.key_id, u.status`,
    [accountId, day],
  )
  return rows
}

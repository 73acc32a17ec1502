import type { Pool } from 'pg'
import type { Plan } from '#server/api/contract/plans.ts'
import { shownSince } from './shown-log.ts'

export type PaceRow = {
  balance: string
  as_of: Date
  requests_today: string
  credits_today: string
  credits_lately: string
  days: string
  day_used: number
  plan: Plan
  own_per_day: number | null
}

/** Returns balance, today's usage and limit, spend of the last 14 full days, and how many of these days the account has existed. */
export async function readPace(pool: Pool, accountId: number): Promise<PaceRow | undefined> {
  const { rows } = await pool.query<PaceRow>(
    `WITH t AS (SELECT (now() AT TIME ZONE 'UTC')::date AS today)
     SELECT w.balance, p.as_of, a.plan, a.own_per_day,
       CASE WHEN w.day = floor(extract(epoch FROM now()) / 86400) THEN w.day_used ELSE 0 END AS day_used,
       coalesce(sum(u.requests) FILTER (WHERE u.day = t.today AND u.status <> 429), 0)::bigint AS requests_today,
       coalesce(sum(u.credits) FILTER (WHERE u.day = t.today), 0)::bigint AS credits_today,
       coalesce(sum(u.credits) FILTER (WHERE u.day < t.today), 0)::bigint AS credits_lately,
       greatest(1, least(14, t.today - (a.created_at AT TIME ZONE 'UTC')::date)) AS days
     FROM wallet w JOIN account a ON a.id = w.account_id CROSS JOIN t CROSS JOIN usage_progress p
     LEFT JOIN usage_day u ON u.account_id = w.account_id AND u.day > t.today - 15
     WHERE w.account_id = $1 GROUP BY w.balance, w.day, w.day_used, p.as_of, t.today, a.created_at, a.plan, a.own_per_day`,
    [accountId],
  )
  return rows[0]
}

export type CallRow = { id: string; at: Date; endpoint: number; status: number; error: number; credits: number; took_ms: string; mode: 'test' | 'live' }

const columns = "replace(r.id::text, '-', '') AS id, r.at, took_ms(r.id, r.at)::text AS took_ms, r.endpoint, r.status, r.error, r.credits, k.mode"

/** Maximum number of calls to search for a successful one, so that an account with only failures is not scanned in full. */
const maxTries = 1_000

/** Returns the newest request of an account within the period that the log is shown for. Ids sort by time. */
export async function readLastRequest(pool: Pool, accountId: number): Promise<CallRow | undefined> {
  const { rows } = await pool.query<CallRow>(
    `SELECT ${columns} FROM (SELECT * FROM request_log WHERE account_id = $1 AND id >= first_id_at($2::timestamptz) ORDER BY id DESC LIMIT 1) r
     JOIN api_key k ON k.id = r.key_id`,
    [accountId, shownSince()],
  )
  return rows[0]
}

/** Returns the account's first successful call within the period that the log is shown for; if there is none yet, the newest refused one. */
export async function readFirstCall(pool: Pool, accountId: number): Promise<CallRow | undefined> {
  const { rows } = await pool.query<CallRow>(
    `WITH shown AS NOT MATERIALIZED (SELECT * FROM request_log WHERE account_id = $1 AND id >= first_id_at($3::timestamptz)),
     early AS (SELECT * FROM shown ORDER BY id LIMIT $2),
     found AS (
       (SELECT 1 AS place, e.* FROM early e WHERE e.status < 400 ORDER BY e.id LIMIT 1)
       UNION ALL (SELECT 2, s.* FROM shown s ORDER BY s.id DESC LIMIT 1))
     SELECT ${columns} FROM found r JOIN api_key k ON k.id = r.key_id ORDER BY r.place LIMIT 1`,
    [accountId, maxTries, shownSince()],
  )
  return rows[0]
}

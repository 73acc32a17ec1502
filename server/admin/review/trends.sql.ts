/** Daily figures of the service. Raw SQL, because Prisma can't group by the UTC day of a timestamp. */
import type { Database } from '#server/db/prisma.ts'
import { notInternal } from './review.sql.ts'

/** Figures of one UTC day. */
export type TrendDay = {
  /** Date such as 2026-11-21. */
  readonly day: string
  readonly signUps: number
  /** Calls by customers, and those among them that failed because of the service (5xx). */
  readonly calls: number
  readonly errors: number
  /** Paid top-ups in pence. */
  readonly revenuePence: number
  /** Number of data sources that brought data. */
  readonly sources: number
}

/** Returns the figures of each day in an inclusive range. Usage is looked up by account, because its primary key starts with the account. */
export async function readTrends(db: Database, from: string, to: string): Promise<TrendDay[]> {
  const { rows } = await db.query<TrendDay>(
    `WITH days AS (SELECT d::date AS day FROM generate_series($1::date, $2::date, interval '1 day') d),
     sign_ups AS (SELECT (a.created_at AT TIME ZONE 'UTC')::date AS day, count(*) AS n FROM account a WHERE a.created_at >= $1::date AND ${notInternal} GROUP BY 1),
     usage AS (
       SELECT u.day, sum(u.requests) AS calls, coalesce(sum(u.requests) FILTER (WHERE u.status >= 500), 0) AS errors
       FROM account a CROSS JOIN LATERAL (SELECT x.day, x.requests, x.status FROM usage_day x WHERE x.account_id = a.id AND x.day >= $1::date) u
       WHERE ${notInternal} GROUP BY u.day),
     paid AS (SELECT (t.paid_at AT TIME ZONE 'UTC')::date AS day, sum(t.amount_pence) AS pence FROM top_up t WHERE t.paid_at >= $1::date GROUP BY 1),
     fetched AS (
       SELECT (f.fetched_at AT TIME ZONE 'UTC')::date AS day, count(DISTINCT f.source) AS n FROM source_fetch f
       WHERE f.fetched_at >= $1::date AND f.rows IS NOT NULL GROUP BY 1)
     SELECT to_char(d.day, 'YYYY-MM-DD') AS day, coalesce(s.n, 0)::int AS "signUps", coalesce(u.calls, 0)::float8 AS calls, coalesce(u.errors, 0)::float8 AS errors,
       coalesce(p.pence, 0)::float8 AS "revenuePence", coalesce(f.n, 0)::int AS sources
     FROM days d LEFT JOIN sign_ups s USING (day) LEFT JOIN usage u USING (day) LEFT JOIN paid p USING (day) LEFT JOIN fetched f USING (day) ORDER BY d.day`,
    [from, to],
  )
  return rows
}

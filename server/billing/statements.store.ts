import type { Pool } from 'pg'

export type SumRow = { kind: string; before: string; within: string; has_moved: boolean }

/**
 * Returns credits by kind before a month and within it, all in one snapshot: entries from the ledger, charges from the daily sums and from log rows not yet
 * summed. `first` is the first day of the month, `next` that of the next month.
 */
export async function readSums(pool: Pool, accountId: number, first: string, next: string): Promise<SumRow[]> {
  const { rows } = await pool.query<SumRow>(
    `WITH bounds AS (SELECT $2::date::timestamp AT TIME ZONE 'UTC' AS lo, $3::date::timestamp AT TIME ZONE 'UTC' AS hi),
          moved AS (
            SELECT e.kind, e.credits, e.at FROM ledger_entry e WHERE e.account_id = $1
            UNION ALL SELECT 'charge', -u.credits, u.day::timestamp AT TIME ZONE 'UTC' FROM usage_day u WHERE u.account_id = $1 AND u.credits > 0
            UNION ALL SELECT 'charge', -l.credits, l.at FROM request_log l
              WHERE l.account_id = $1 AND l.credits > 0 AND l.tx >= (SELECT next_tx FROM usage_progress))
     SELECT kind, coalesce(sum(credits) FILTER (WHERE at < lo), 0)::text AS before, coalesce(sum(credits) FILTER (WHERE at >= lo), 0)::text AS within,
       count(*) FILTER (WHERE at >= lo) > 0 AS has_moved
     FROM moved, bounds WHERE at < hi GROUP BY kind ORDER BY kind`,
    [accountId, first, next],
  )
  return rows
}

export type DayRow = { day: string; credits: string; requests: string }

/** Returns the charges by UTC day, as far as they have been summed. */
export async function readDays(pool: Pool, accountId: number, first: string, next: string): Promise<DayRow[]> {
  const { rows } = await pool.query<DayRow>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS day, sum(credits)::text AS credits, sum(requests)::text AS requests FROM usage_day
     WHERE account_id = $1 AND day >= $2::date AND day < $3::date AND credits > 0 GROUP BY day ORDER BY day LIMIT 31`,
    [accountId, first, next],
  )
  return rows
}

export type PaidRow = {
  public_id: string
  paid_at: Date
  origin: string
  amount_pence: string
  vat_pence: string
  vat_basis_points: number | null
  credits: string
}

/** Returns the top-ups paid in a month, oldest first. */
export async function readPaid(pool: Pool, accountId: number, first: string, next: string, limit: number): Promise<PaidRow[]> {
  const { rows } = await pool.query<PaidRow>(
    `SELECT public_id, paid_at, origin, amount_pence, vat_pence, vat_basis_points, credits FROM top_up
     WHERE account_id = $1 AND paid_at >= $2::date::timestamp AT TIME ZONE 'UTC' AND paid_at < $3::date::timestamp AT TIME ZONE 'UTC' ORDER BY paid_at LIMIT $4`,
    [accountId, first, next, limit],
  )
  return rows
}

/** Returns the month of the first ledger entry, as `2026-11`; null if there is none. */
export async function readFirstMonth(pool: Pool, accountId: number): Promise<string | null> {
  const { rows } = await pool.query<{ month: string | null }>(
    `SELECT to_char(min(at) AT TIME ZONE 'UTC', 'YYYY-MM') AS month FROM ledger_entry WHERE account_id = $1`,
    [accountId],
  )
  return rows[0]?.month ?? null
}

import type { Pool } from 'pg'

export type MovedRow = { day: string; credits: string; topped_up: string; balance: string }

/**
 * Returns the balance movements by UTC day since a date, and the current balance, all in one snapshot: entries from the ledger, charges from the daily sums and
 * from log rows not yet summed. A row with an empty day only carries the balance.
 */
export async function readMovements(pool: Pool, accountId: number, from: string): Promise<MovedRow[]> {
  const { rows } = await pool.query<MovedRow>(
    `WITH moved AS (
       SELECT (e.at AT TIME ZONE 'UTC')::date AS day, e.credits, CASE WHEN e.kind = 'top_up' THEN e.credits ELSE 0 END AS topped_up
         FROM ledger_entry e WHERE e.account_id = $1 AND e.at >= $2::date::timestamp AT TIME ZONE 'UTC'
       UNION ALL SELECT u.day, -u.credits, 0 FROM usage_day u WHERE u.account_id = $1 AND u.credits > 0 AND u.day >= $2::date
       UNION ALL SELECT (l.at AT TIME ZONE 'UTC')::date, -l.credits, 0 FROM request_log l
         WHERE l.account_id = $1 AND l.credits > 0 AND l.tx >= (SELECT next_tx FROM usage_progress)),
     days AS (SELECT day, sum(credits) AS credits, sum(topped_up) AS topped_up FROM moved GROUP BY day)
     SELECT coalesce(to_char(d.day, 'YYYY-MM-DD'), '') AS day, coalesce(d.credits, 0)::text AS credits, coalesce(d.topped_up, 0)::text AS topped_up,
       w.balance::text AS balance
     FROM wallet w LEFT JOIN days d ON true WHERE w.account_id = $1 ORDER BY 1 LIMIT 100`,
    [accountId, from],
  )
  return rows
}

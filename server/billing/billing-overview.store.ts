import type { Pool } from 'pg'

export type OverviewRow = { balance: string; debt_kind: string | null; debt_credits: string | null; debt_at: Date | null }

/** Returns the balance and, if it is below zero, the entry that took it there. */
export async function readOverview(pool: Pool, accountId: number): Promise<OverviewRow | undefined> {
  const { rows } = await pool.query<OverviewRow>(
    `SELECT w.balance, d.kind AS debt_kind, (-d.credits)::text AS debt_credits, d.at AS debt_at
     FROM wallet w LEFT JOIN LATERAL (
       SELECT e.kind, e.credits, e.at FROM ledger_entry e
       WHERE w.balance < 0 AND e.account_id = w.account_id AND e.credits < 0 AND e.balance_after < 0 ORDER BY e.at DESC, e.id DESC LIMIT 1) d ON true
     WHERE w.account_id = $1`,
    [accountId],
  )
  return rows[0]
}

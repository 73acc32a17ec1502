import type { Database } from '#server/db/prisma.ts'

/** Returns all ledger lines of an account, including charges, oldest first. */
export async function readLedger(db: Database, accountId: number): Promise<{ kind: string; credits: number; balanceAfter: number }[]> {
  const { rows } = await db.query<{ kind: string; credits: string; balanceAfter: string }>(
    `SELECT * FROM (
       SELECT kind, credits, balance_after AS "balanceAfter", at FROM ledger_entry WHERE account_id = $1
       UNION ALL SELECT 'charge', -credits, balance, at FROM request_log WHERE account_id = $1 AND credits > 0) entry ORDER BY at`,
    [accountId],
  )
  return rows.map(({ kind, credits, balanceAfter }) => ({ kind, credits: Number(credits), balanceAfter: Number(balanceAfter) }))
}

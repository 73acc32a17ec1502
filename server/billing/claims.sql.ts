/** Claims due work: Prisma has neither `FOR UPDATE SKIP LOCKED` nor comparisons between columns of two tables. */
import type { PaymentMode } from '#server/db/generated/client.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { queryWithin } from '#server/db/transaction.ts'

/** Locks the notice that has been due longest, until the transaction ends, and returns its id; concurrent callers get the next one. */
export async function claimNotice(tx: Transaction): Promise<number | undefined> {
  const { rows } = await tx.query<{ id: number }>(
    'SELECT id FROM billing_notice WHERE sent_at IS NULL AND not_before <= now() ORDER BY not_before, id LIMIT 1 FOR UPDATE SKIP LOCKED',
  )
  return rows[0]?.id
}

/** Returns accounts that seem to need an automatic top-up. The final decision is made with their wallets locked. */
export async function findAutoTopUpCandidates(db: Database, mode: PaymentMode, limit: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `SELECT s.account_id AS id FROM auto_top_up s JOIN wallet w ON w.account_id = s.account_id
       JOIN account a ON a.id = s.account_id AND a.state <> 'blocked' AND a.closed_at IS NULL
       JOIN payment_customer c ON c.account_id = s.account_id AND c.mode = $1 AND c.payment_method_id IS NOT NULL
     WHERE s.is_on AND s.current_id IS NULL AND w.balance < s.threshold_credits AND (s.not_before IS NULL OR s.not_before <= clock_timestamp())
       AND (CASE WHEN s.month = month_of(now()) THEN s.month_pence ELSE 0 END + s.amount_pence <= s.ceiling_pence OR s.ceiling_notified <> month_of(now()))
     ORDER BY s.not_before NULLS FIRST, s.account_id LIMIT $2`,
    [mode, limit],
  )
  return rows.map(({ id }) => id)
}

/** One minute: after a backlog, such as a day without a worker, a run reads more of the log than the page timeout allows. */
const checkTimeoutMs = 60_000

/** Checks up to `maxAccounts` accounts in one transaction, which locks their wallets. `hasMore` is true if there are others. */
export async function checkLowBalances(db: Database, maxAccounts: number): Promise<{ notified: number; hasMore: boolean }> {
  const sql = 'SELECT told AS notified, more AS "hasMore" FROM notify_low_balances($1)'
  const [row] = await queryWithin<{ notified: number | null; hasMore: boolean | null }>(db, checkTimeoutMs, sql, [maxAccounts])
  return { notified: row?.notified ?? 0, hasMore: row?.hasMore === true }
}

/** Claims due work in SQL, because Prisma has neither `FOR UPDATE SKIP LOCKED` nor comparisons between columns of two tables. */
import type { PaymentMode } from '#server/db/generated/client.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inLongTransaction } from '#server/db/transaction.ts'

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

/** Maximum number of transactions whose charges are read at once. */
const maxTransactions = 100_000

/**
 * Locks the progress of the low-balance check, and returns the range of transactions whose charges are to be read next. All transactions before `stop` have
 * ended. Returns undefined if another process is running the check. In a database copied to a new cluster, transaction ids restart, so stored progress that is
 * too high is lowered.
 */
async function claimCharges(tx: Transaction): Promise<{ start: string; stop: string; isLast: boolean } | undefined> {
  const { rows } = await tx.query<{ start: string; stop: string; isLast: boolean }>(
    `SELECT least(next_tx, ended) AS start, least(next_tx + $1, ended) AS stop, next_tx + $1 >= ended AS "isLast"
     FROM alert_progress, (SELECT settled_tx() AS ended) s FOR UPDATE OF alert_progress SKIP LOCKED`,
    [maxTransactions],
  )
  return rows[0]
}

/**
 * Notifies, in one transaction, up to `maxAccounts` accounts whose balance has fallen to an armed threshold or below. A threshold is armed when a credit raises
 * the balance above it, and disarmed by the notification. `hasMore` is true if charges are left to read. The progress advances only when all accounts in these
 * charges have been notified. Wallets are locked before the armed thresholds are read, so a concurrent credit is counted completely or not at all.
 */
export function checkLowBalances(db: Database, maxAccounts: number): Promise<{ notified: number; hasMore: boolean }> {
  return inLongTransaction(db, checkTimeoutMs, async (tx) => {
    await tx.query("SET LOCAL enable_seqscan = off; SET LOCAL lock_timeout = '1s'")
    const charges = await claimCharges(tx)
    if (!charges) return { notified: 0, hasMore: false }
    const { start, stop, isLast } = charges
    // The last batch continues to the newest charge. Charges after `stop` are read again on the next run.
    const { rows: candidates } = await tx.query<{ account: number }>(
      `WITH charged AS MATERIALIZED (SELECT DISTINCT account_id FROM request_log WHERE tx >= $1 AND ($2::bigint IS NULL OR tx < $2) AND credits > 0)
       SELECT t.account_id AS account FROM charged c JOIN balance_alert b ON b.account_id = c.account_id JOIN wallet t ON t.account_id = c.account_id
       WHERE b.armed[1] >= t.balance ORDER BY t.account_id LIMIT $3`,
      [start, isLast ? null : stop, maxAccounts],
    )
    await lockRows(
      tx,
      'wallet',
      candidates.map(({ account }) => account),
    )
    const { rows: low } = await tx.query<{ account: number; balance: string }>(
      'SELECT account_id AS account, balance FROM wallet WHERE account_id = ANY ($1)',
      [candidates.map(({ account }) => account)],
    )
    const { rows } = await tx.query<{ notified: number }>(
      'SELECT count(*) FILTER (WHERE notify_low_balance(account, balance))::int AS notified FROM unnest($1::int[], $2::bigint[]) AS low (account, balance)',
      [low.map(({ account }) => account), low.map(({ balance }) => balance)],
    )
    const isFull = candidates.length === maxAccounts
    if (!isFull) await tx.query('UPDATE alert_progress SET next_tx = $1', [stop])
    return { notified: rows[0]?.notified ?? 0, hasMore: isFull || !isLast }
  })
}

import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { queryWithin } from '#server/db/transaction.ts'

export type NoticeRow = {
  id: string
  account_id: string | null
  account: string | null
  email: string | null
  kind: string
  data: Record<string, unknown>
  created_at: Date
  attempts: number
}

/** Locks the notice that has been due longest, until the transaction ends; concurrent callers get the next one. Closed accounts have no email address. */
export async function claimNotice(client: Transaction): Promise<NoticeRow | undefined> {
  const { rows } = await client.query<NoticeRow>(
    `SELECT n.id, n.account_id, a.public_id AS account, CASE WHEN a.closed_at IS NULL THEN a.email END AS email, n.kind, n.data, n.created_at, n.attempts
     FROM billing_notice n LEFT JOIN account a ON a.id = n.account_id
     WHERE n.sent_at IS NULL AND n.not_before <= now() ORDER BY n.not_before, n.id LIMIT 1 FOR UPDATE OF n SKIP LOCKED`,
  )
  return rows[0]
}

export type AccountNoticeRow = { id: string; kind: string; data: Record<string, unknown>; created_at: Date }

/** Returns the newest notices of an account. */
export async function readNotices(pool: Database, accountId: number, limit: number): Promise<AccountNoticeRow[]> {
  const { rows } = await pool.query<AccountNoticeRow>(
    'SELECT id::text, kind, data, created_at FROM billing_notice WHERE account_id = $1 ORDER BY id DESC LIMIT $2',
    [accountId, limit],
  )
  return rows
}

export async function finishNotice(client: Transaction, id: string): Promise<void> {
  await client.query('UPDATE billing_notice SET sent_at = now(), attempts = attempts + 1 WHERE id = $1', [id])
}

/** Postpones a notice. After `max` attempts it is given up and marked as sent. */
export async function postponeNotice(pool: Database, id: string, max: number): Promise<void> {
  await pool.query(
    `UPDATE billing_notice SET attempts = attempts + 1, not_before = now() + make_interval(mins => (2 ^ attempts)::int),
       sent_at = CASE WHEN attempts + 1 >= $2 THEN now() END WHERE id = $1`,
    [id, max],
  )
}

export async function insertAdminNotice(pool: Database, kind: string, data: object): Promise<void> {
  await pool.query('INSERT INTO billing_notice (account_id, kind, data) VALUES (NULL, $1, $2)', [kind, JSON.stringify(data)])
}

export async function deleteOldNotices(pool: Database): Promise<void> {
  await pool.query(
    `DELETE FROM billing_notice WHERE id IN (
       SELECT id FROM billing_notice WHERE sent_at < now() - interval '90 days' LIMIT 1000 FOR UPDATE SKIP LOCKED)`,
  )
}

export async function readThresholds(db: Db, accountId: number): Promise<number[] | null> {
  const { rows } = await db.query<{ thresholds: string[] }>('SELECT thresholds FROM balance_alert WHERE account_id = $1', [accountId])
  return rows[0]?.thresholds.map(Number) ?? null
}

/** Sets the thresholds, highest first, and arms those below the balance. */
export async function writeThresholds(client: Transaction, accountId: number, thresholds: readonly number[]): Promise<void> {
  await client.query(
    `INSERT INTO balance_alert AS b (account_id, thresholds, armed)
     SELECT account_id, $2::bigint[], ARRAY(SELECT t FROM unnest($2::bigint[]) t WHERE t < balance ORDER BY t DESC) FROM wallet WHERE account_id = $1
     ON CONFLICT (account_id) DO UPDATE SET thresholds = excluded.thresholds, armed = excluded.armed`,
    [accountId, thresholds],
  )
}

/** One minute: after a backlog, such as a day without a worker, a run reads more of the log than the page timeout allows. */
const lookTimeoutMs = 60_000

/** Accounts per transaction, which locks their wallets. */
const maxAccountsPerRun = 500

/**
 * Writes a notice, and an event for webhooks that subscribe to it, for every account whose charges took its balance below an armed threshold. Works in
 * bounded transactions until it has caught up, in one process at a time. Returns the number of accounts notified.
 */
export async function noticeLowBalances(pool: Database, signal?: AbortSignal): Promise<number> {
  for (let total = 0; ; ) {
    const [row] = await queryWithin<{ notified: number | null; more: boolean | null }>(
      pool,
      lookTimeoutMs,
      'SELECT told AS notified, more FROM notify_low_balances($1)',
      [maxAccountsPerRun],
    )
    total += row?.notified ?? 0
    if (row?.more !== true || signal?.aborted) return total
  }
}

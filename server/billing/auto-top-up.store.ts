import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import type { PaymentMode } from './billing-deps.ts'
import { isDue, maxAttempts, nextAttempt } from './retries.store.ts'

export type AutoTopUpRow = {
  is_on: boolean
  threshold_credits: string
  amount_pence: string
  ceiling_pence: string
  month_pence: string
  failures: number
  not_before: Date | null
  off_reason: string | null
  is_under_way: boolean
}

/** Returns the settings of an account, and the amount spent under its ceiling in the current month. */
export async function readAutoTopUp(db: Db, accountId: number): Promise<AutoTopUpRow | undefined> {
  const { rows } = await db.query<AutoTopUpRow>(
    `SELECT is_on, threshold_credits, amount_pence, ceiling_pence, CASE WHEN month = month_of(now()) THEN month_pence ELSE 0 END AS month_pence,
       failures, not_before, off_reason, current_id IS NOT NULL AS is_under_way FROM auto_top_up WHERE account_id = $1`,
    [accountId],
  )
  return rows[0]
}

export type AutoTopUpSettings = { isOn: boolean; thresholdCredits: number; amountPence: number; ceilingPence: number }

/**
 * Writes the settings. Turning automatic top-ups on resets failures, but not the month's spend. Returns false if there is no saved card to turn them on with.
 */
export async function writeAutoTopUp(client: Transaction, accountId: number, mode: PaymentMode | null, settings: AutoTopUpSettings): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO auto_top_up AS s (account_id, is_on, threshold_credits, amount_pence, ceiling_pence)
     SELECT $1, $2, $3, $4, $5 WHERE NOT $2
       OR EXISTS (SELECT FROM payment_customer c WHERE c.account_id = $1 AND c.mode = $6 AND c.payment_method_id IS NOT NULL)
     ON CONFLICT (account_id) DO UPDATE SET is_on = excluded.is_on, threshold_credits = excluded.threshold_credits,
       amount_pence = excluded.amount_pence, ceiling_pence = excluded.ceiling_pence, ceiling_notified = 0,
       failures = CASE WHEN excluded.is_on THEN 0 ELSE s.failures END,
       attempts = CASE WHEN excluded.is_on THEN 0 ELSE s.attempts END,
       not_before = CASE WHEN excluded.is_on THEN NULL ELSE s.not_before END,
       off_reason = NULL`,
    [accountId, settings.isOn, settings.thresholdCredits, settings.amountPence, settings.ceilingPence, mode],
  )
  return rowCount === 1
}

export type Candidate = { account_id: string; amount_pence: string }

/** Returns accounts that seem to need an automatic top-up. The final decision is made with their wallets locked. */
export async function readCandidates(pool: Database, mode: PaymentMode, limit: number): Promise<Candidate[]> {
  const { rows } = await pool.query<Candidate>(
    `SELECT s.account_id, s.amount_pence FROM auto_top_up s JOIN wallet w ON w.account_id = s.account_id
       JOIN account a ON a.id = s.account_id AND a.state <> 'blocked' AND a.closed_at IS NULL
       JOIN payment_customer c ON c.account_id = s.account_id AND c.mode = $1 AND c.payment_method_id IS NOT NULL
     WHERE s.is_on AND s.current_id IS NULL AND w.balance < s.threshold_credits AND ${isDue('s')}
       AND (CASE WHEN s.month = month_of(now()) THEN s.month_pence ELSE 0 END + s.amount_pence <= s.ceiling_pence OR s.ceiling_notified <> month_of(now()))
     ORDER BY s.not_before NULLS FIRST, s.account_id LIMIT $2`,
    [mode, limit],
  )
  return rows
}

export type NewAutoTopUp = {
  accountId: number
  mode: PaymentMode
  publicId: string
  amountPence: number
  credits: number
  vatBasisPoints: number | null
  vatPence: number
}

/** Starts an automatic top-up if the account still needs one. */
export async function beginAutoTopUp(pool: Database, row: NewAutoTopUp): Promise<boolean> {
  const { rows } = await pool.query<{ id: string | null }>('SELECT begin_auto_top_up($1, $2, $3, $4, $5, $6, $7) AS id', [
    row.accountId,
    row.mode,
    row.publicId,
    row.amountPence,
    row.credits,
    row.vatBasisPoints,
    row.vatPence,
  ])
  return rows[0]?.id != null
}

/** Postpones a top-up that failed to start. Returns true after the last attempt, which turns automatic top-ups off and notifies the account. */
export async function postponeStart(pool: Database, accountId: number): Promise<boolean> {
  const { rows } = await pool.query<{ is_on: boolean }>(
    `WITH put_off AS (
       UPDATE auto_top_up SET attempts = attempts + 1, not_before = ${nextAttempt}, is_on = attempts + 1 < $2,
         off_reason = CASE WHEN attempts + 1 >= $2 THEN 'They could not be started for a day.' END
       WHERE account_id = $1 AND is_on AND current_id IS NULL RETURNING account_id, is_on)
     SELECT is_on, CASE WHEN NOT is_on THEN add_billing_notice(account_id, 'auto_top_up.stopped', '{"cause": "fault"}') END FROM put_off`,
    [accountId, maxAttempts],
  )
  return rows[0]?.is_on === false
}

export type OpenCharge = {
  topUp: string
  account: string
  customer: string
  method: string | null
  amount_pence: string
  credits: string
  begunAt: Date
}

const openCharges = `SELECT t.public_id AS "topUp", a.public_id AS account, c.customer_id AS customer, c.payment_method_id AS method, t.amount_pence, t.credits,
    t.created_at AS "begunAt"
  FROM top_up t JOIN account a ON a.id = t.account_id JOIN payment_customer c ON c.account_id = t.account_id AND c.mode = t.mode
  WHERE t.origin = 'auto' AND t.mode = $1`

/** Returns an automatic top-up whose charge has not been submitted. */
export async function findOpenCharge(pool: Database, mode: PaymentMode, topUp: string): Promise<OpenCharge | undefined> {
  const { rows } = await pool.query<OpenCharge>(`${openCharges} AND t.state = 'open' AND t.public_id = $2`, [mode, topUp])
  return rows[0]
}

/** Returns true if a top-up that was started but not charged is still needed; otherwise ends it. */
export async function resumeAutoTopUp(pool: Database, topUp: string): Promise<boolean> {
  const { rows } = await pool.query<{ is_wanted: boolean }>('SELECT resume_auto_top_up($1) AS is_wanted', [topUp])
  return rows[0]?.is_wanted === true
}

/** Returns automatic top-ups to check: without an outcome for two minutes after starting, or pending at the bank for six hours. */
export async function readUnresolvedCharges(pool: Database, mode: PaymentMode, limit: number): Promise<OpenCharge[]> {
  const { rows } = await pool.query<OpenCharge>(
    `${openCharges} AND (t.state = 'open' AND t.created_at < now() - interval '2 minutes' OR t.state = 'pending' AND t.created_at < now() - interval '6 hours')
       AND ${isDue('t')} ORDER BY t.not_before NULLS FIRST, t.id LIMIT $2`,
    [mode, limit],
  )
  return rows
}

/** Postpones the next check of a charge pending at the bank by an hour and resets its attempts. */
export async function postponePending(pool: Database, topUp: string): Promise<void> {
  await pool.query("UPDATE top_up SET attempts = 0, not_before = clock_timestamp() + interval '1 hour' WHERE public_id = $1 AND state = 'pending'", [topUp])
}

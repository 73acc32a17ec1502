import type { Database } from '#server/db/prisma.ts'
import { queryWithin } from '#server/db/transaction.ts'
import type { ListedDispute, ListedPayment, ListedRefund, PaymentMode } from './billing-deps.ts'

export type CheckName = 'ledger' | 'reconciliation'

/** SQL condition for a time written by a clock that was ahead. The tolerance of a minute is for a time that another process has just written. */
const isAhead = (column: 'started_at' | 'failure_notified_at') => `${column} > now() + interval '1 minute'`

/**
 * Claims a check whose last start is more than `everySeconds` ago, or in the future because of a wrong clock. Returns false if it is not due or another process
 * claimed it.
 */
export async function claimCheck(pool: Database, name: CheckName, everySeconds: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE billing_check SET started_at = now() WHERE name = $1 AND (started_at < now() - make_interval(secs => $2) OR ${isAhead('started_at')})`,
    [name, everySeconds],
  )
  return rowCount === 1
}

export async function finishCheck(pool: Database, name: CheckName, faults: number): Promise<void> {
  await pool.query('UPDATE billing_check SET done_at = now(), faults = $2, failure_notified_at = NULL WHERE name = $1', [name, faults])
}

/** Makes a failed check due again in `inSeconds`. */
export async function rescheduleCheck(pool: Database, name: CheckName, everySeconds: number, inSeconds: number): Promise<void> {
  await pool.query('UPDATE billing_check SET started_at = now() - make_interval(secs => $2) WHERE name = $1', [name, everySeconds - inSeconds])
}

/** Notifies the administrators that a check can't run, at most once a day. */
export async function notifyFailure(pool: Database, name: CheckName): Promise<void> {
  await pool.query(
    `WITH due AS (
       UPDATE billing_check SET failure_notified_at = now() WHERE name = $1 AND (failure_notified_at IS NULL OR failure_notified_at < now() - interval '1 day' OR ${isAhead('failure_notified_at')})
       RETURNING name)
     INSERT INTO billing_notice (account_id, kind, data) SELECT NULL, 'check.failed', jsonb_build_object('check', name) FROM due`,
    [name],
  )
}

export type CheckRow = { name: CheckName; doneAt: Date | null; faults: number | null; failedAt: Date | null }

/** Returns the last run of each check, its number of differences, and the time at which administrators were last notified that it can't run. */
export async function readChecks(pool: Database): Promise<CheckRow[]> {
  const { rows } = await pool.query<CheckRow>(
    'SELECT name, done_at AS "doneAt", faults, failure_notified_at AS "failedAt" FROM billing_check ORDER BY name LIMIT 10',
  )
  return rows
}

/** Payment in our records. */
type RecordedPayment = { intent: string; top_up: string; amount_pence: string; refunded_pence: string; is_paid: boolean }

/** Returns our records of these payments, matched by payment id or by top-up. */
export async function readRecordedPayments(pool: Database, listed: readonly ListedPayment[]): Promise<RecordedPayment[]> {
  const { rows } = await pool.query<RecordedPayment>(
    `SELECT coalesce(t.payment_intent_id, '') AS intent, t.public_id AS top_up, t.amount_pence, coalesce(refunded_of(t.payment_intent_id), 0) AS refunded_pence,
       t.state = 'paid' AS is_paid
     FROM top_up t
     WHERE t.payment_intent_id = ANY ($1) OR t.public_id = ANY ($2)`,
    [listed.map((one) => one.intent), listed.flatMap((one) => one.topUp ?? [])],
  )
  return rows
}

export type RecordedRefund = { id: string; amount_pence: string; status: string; is_gone: boolean }

/** Returns our records of these refunds, and the refunded totals of their payments as far as the payments are ours. */
export async function readRecordedRefunds(
  pool: Database,
  listed: readonly ListedRefund[],
): Promise<{ known: RecordedRefund[]; gonePence: Map<string, number> }> {
  const [known, payments] = await Promise.all([
    pool.query<RecordedRefund>('SELECT id, amount_pence, status, is_gone FROM stripe_refund WHERE id = ANY ($1)', [listed.map((one) => one.id)]),
    pool.query<{ intent: string; pence: string }>(
      'SELECT payment_intent_id AS intent, coalesce(refunded_of(payment_intent_id), 0) AS pence FROM top_up WHERE payment_intent_id = ANY ($1)',
      [listed.flatMap((one) => one.intent ?? [])],
    ),
  ])
  return { known: known.rows, gonePence: new Map(payments.rows.map(({ intent, pence }) => [intent, Number(pence)])) }
}

type RecordedDispute = { id: string; amount_pence: string; status: string }

/** Returns our records of these disputes, and which of their payments are ours. */
export async function readRecordedDisputes(pool: Database, listed: readonly ListedDispute[]): Promise<{ known: RecordedDispute[]; ours: Set<string> }> {
  const [known, ours] = await Promise.all([
    pool.query<RecordedDispute>('SELECT id, amount_pence, status FROM stripe_dispute WHERE id = ANY ($1)', [listed.map((one) => one.id)]),
    pool.query<{ intent: string }>('SELECT payment_intent_id AS intent FROM top_up WHERE payment_intent_id = ANY ($1)', [
      listed.flatMap((one) => one.intent ?? []),
    ]),
  ])
  return { known: known.rows, ours: new Set(ours.rows.map((row) => row.intent)) }
}

/** Returns a page of payments, by id, whose top-ups were started and recorded as paid within a period. */
export async function readPaid(pool: Database, mode: PaymentMode, { since, until }: { since: Date; until: Date }, after: string, limit: number) {
  const { rows } = await pool.query<{ intent: string; top_up: string }>(
    `SELECT payment_intent_id AS intent, public_id AS top_up FROM top_up
     WHERE state = 'paid' AND mode = $1 AND created_at >= $2 AND paid_at < $3 AND payment_intent_id > $4 ORDER BY payment_intent_id LIMIT $5`,
    [mode, since, until, after, limit],
  )
  return rows
}

/** Ten minutes, because the query adds up the ledger entries of every top-up. */
const unbalancedTimeoutMs = 600_000

type Unbalanced = { top_up: string; kind: string; expected: string; entered: string }

/** Returns top-ups whose ledger entries don't add up to their recorded state. Any result is a bug. */
export async function readUnbalanced(pool: Database, limit: number): Promise<Unbalanced[]> {
  return queryWithin<Unbalanced>(
    pool,
    unbalancedTimeoutMs,
    `WITH expected AS (
       SELECT t.public_id, k.kind, k.credits FROM top_up t
       CROSS JOIN LATERAL (VALUES ('top_up', t.entered_credits), ('refund', -t.refunded_credits), ('dispute', -t.disputed_credits)) k(kind, credits)),
     entered AS (
       SELECT reference, kind, sum(credits)::bigint AS credits FROM ledger_entry WHERE kind IN ('top_up', 'refund', 'dispute') GROUP BY reference, kind)
     SELECT coalesce(x.public_id, e.reference, '') AS top_up, coalesce(x.kind, e.kind) AS kind, coalesce(x.credits, 0)::text AS expected,
       coalesce(e.credits, 0)::text AS entered
     FROM expected x FULL JOIN entered e ON e.reference = x.public_id AND e.kind = x.kind
     WHERE coalesce(x.credits, 0) <> coalesce(e.credits, 0) ORDER BY 1, 2 LIMIT $1`,
    [limit],
  )
}

import type { Pool } from 'pg'
import { type ChangeSource, type DisputeChange, type PaymentChange, type RefundChange, RefusedChangeError } from './payment-change.ts'

export type Applied = 'applied' | 'duplicate' | 'unknown'

const refusedState = 'SVC01'

const isRefusedChange = (error: unknown): error is Error => error instanceof Error && 'code' in error && error.code === refusedState

const toSourceValues = ({ event, isLive, at }: ChangeSource): unknown[] => [event?.id ?? null, event?.type ?? null, isLive, at]

/** Builds the parameters of `apply_payment`, with null for missing facts. */
function toValues(source: ChangeSource, facts: PaymentChange): unknown[] {
  const { topUp = null, session = null, intent = null, outcome = null, amountPence = null, failure = null, refundedPence = null } = facts
  const dispute: Partial<DisputeChange> = facts.dispute ?? {}
  const { id = null, amountPence: disputed = null, status = null, isTaken = null, stage = null } = dispute
  return [...toSourceValues(source), topUp, session, intent, outcome, amountPence, failure, refundedPence, id, disputed, status, isTaken, stage]
}

const paymentQuery = (source: ChangeSource, facts: PaymentChange) => ({
  name: 'apply-payment',
  text: 'SELECT apply_payment($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) AS applied',
  values: toValues(source, facts),
})

const refundQuery = (source: ChangeSource, { intent }: PaymentChange, { id, amountPence, status, isGone, stage }: RefundChange) => ({
  name: 'apply-refund',
  text: 'SELECT apply_refund($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS applied',
  values: [...toSourceValues(source), intent, id, amountPence, status, isGone, stage],
})

/**
 * Applies facts: event, purchase, balance, entry and notice in one statement. Returns `unknown` if the payment belongs to no known purchase yet.
 * @throws RefusedChangeError if the facts contradict the purchase; nothing is changed
 */
export async function applyPaymentChange(pool: Pool, source: ChangeSource, facts: PaymentChange): Promise<Applied> {
  try {
    const { rows } = await pool.query<{ applied: Applied }>(facts.refund ? refundQuery(source, facts, facts.refund) : paymentQuery(source, facts))
    return rows[0]?.applied ?? 'unknown'
  } catch (error) {
    if (isRefusedChange(error)) throw new RefusedChangeError(error.message)
    throw error
  }
}

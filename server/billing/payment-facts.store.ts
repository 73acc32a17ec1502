import type { Pool } from 'pg'
import { type DisputeFacts, type PaymentFacts, type RefundFacts, RefusedFactsError, type Telling } from './payment-facts.ts'

export type Applied = 'applied' | 'duplicate' | 'unknown'

const refusedState = 'SVC01'

const isRefusal = (error: unknown): error is Error => error instanceof Error && 'code' in error && error.code === refusedState

const toldOf = ({ event, isLive, at }: Telling): unknown[] => [event?.id ?? null, event?.type ?? null, isLive, at]

/** The parameters of the statement, null for what is not said. */
function valuesOf(telling: Telling, facts: PaymentFacts): unknown[] {
  const { topUp = null, session = null, intent = null, outcome = null, amountPence = null, failure = null, refundedPence = null } = facts
  const said: Partial<DisputeFacts> = facts.dispute ?? {}
  const { id = null, amountPence: disputed = null, status = null, isTaken = null, stage = null } = said
  return [...toldOf(telling), topUp, session, intent, outcome, amountPence, failure, refundedPence, id, disputed, status, isTaken, stage]
}

const paymentQuery = (telling: Telling, facts: PaymentFacts) => ({
  name: 'apply-payment',
  text: 'SELECT apply_payment($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) AS applied',
  values: valuesOf(telling, facts),
})

const refundQuery = (telling: Telling, { intent }: PaymentFacts, { id, amountPence, status, isGone, stage }: RefundFacts) => ({
  name: 'apply-refund',
  text: 'SELECT apply_refund($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS applied',
  values: [...toldOf(telling), intent, id, amountPence, status, isGone, stage],
})

/**
 * Takes facts in: event, purchase, balance, entry and notice in one statement. `unknown` when the payment belongs to no purchase that is known by now.
 * @throws RefusedFactsError when they contradict the purchase; nothing was changed then.
 */
export async function applyFacts(pool: Pool, telling: Telling, facts: PaymentFacts): Promise<Applied> {
  try {
    const { rows } = await pool.query<{ applied: Applied }>(facts.refund ? refundQuery(telling, facts, facts.refund) : paymentQuery(telling, facts))
    return rows[0]?.applied ?? 'unknown'
  } catch (error) {
    if (isRefusal(error)) throw new RefusedFactsError(error.message)
    throw error
  }
}

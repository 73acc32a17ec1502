import type { Stripe } from 'stripe'
import type { PaymentFacts } from '../payment-facts.ts'
import { idOf, penceOf } from './read-object.ts'

/** Statuses in which the money has not been taken, or has come back. Inquiries, whose names begin with `warning`, take none. */
const untaken = new Set<string>(['won', 'prevented', 'warning_needs_response', 'warning_under_review', 'warning_closed'])

/** Of two statuses told in the same second, the one further on holds. */
const stages: Readonly<Record<string, number>> = { warning_needs_response: 0, warning_under_review: 0, won: 3, lost: 2, warning_closed: 2, prevented: 2 }
const stageUnderWay = 1

/** A dispute began, moved or ended; which of them, its status says. What a lost appeal or a won one says later holds over what was said before. */
export function chargeDispute(dispute: Stripe.Dispute): PaymentFacts {
  const { id, status } = dispute
  const amountPence = penceOf(dispute.amount, dispute.currency, id)
  const intent = idOf(dispute.payment_intent)
  // Every payment of ours has an intent; what has none is not ours.
  if (intent === null) return {}
  return { intent, dispute: { id, amountPence, status, isTaken: !untaken.has(status), stage: stages[status] ?? stageUnderWay } }
}

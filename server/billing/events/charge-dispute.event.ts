import type { Stripe } from 'stripe'
import type { PaymentChange } from '../payment-change.ts'
import { toId, toPence } from '../payment-change.ts'

/** Statuses in which the money was not taken or has been returned. Inquiries, whose statuses start with `warning`, take no money. */
const notTaken = new Set<string>(['won', 'prevented', 'warning_needs_response', 'warning_under_review', 'warning_closed'])

/** Rank of each status: if two are reported in the same second, the one with the higher rank wins. */
const ranks: Readonly<Record<string, number>> = { warning_needs_response: 0, warning_under_review: 0, won: 3, lost: 2, warning_closed: 2, prevented: 2 }
const openRank = 1

/** Reads the state of a dispute that was opened, updated or closed. A later event overrides an earlier one, for example after an appeal. */
export function chargeDispute(dispute: Stripe.Dispute): PaymentChange {
  const { id, status } = dispute
  const amountPence = toPence(dispute.amount, dispute.currency, id)
  const intent = toId(dispute.payment_intent)
  // Without a PaymentIntent it is not one of our payments.
  if (intent === null) return {}
  return { intent, dispute: { id, amountPence, status, isTaken: !notTaken.has(status), stage: ranks[status] ?? openRank } }
}

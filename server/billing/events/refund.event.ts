import type { Stripe } from 'stripe'
import type { PaymentFacts } from '../payment-facts.ts'
import { idOf, penceOf } from './read-object.ts'

/** Of two statuses told in the same second, the one further on holds. In the last two the money is ours again. */
const stages: Readonly<Record<string, number>> = { pending: 0, requires_action: 0, succeeded: 1, failed: 2, canceled: 2 }
const returned = 2

const stageOf = (status: string | null): number => stages[status ?? ''] ?? 0

/** Whether the money of a refund is on its way back to the card or there; false: it failed, and the money came back to us. */
export const isGone = (status: string | null): boolean => stageOf(status) < returned

/** A refund was made, moved on or failed. One that is still under way counts as given back, since the money has left us. */
export function refund(object: Stripe.Refund): PaymentFacts {
  const { id, status } = object
  const amountPence = penceOf(object.amount, object.currency, id)
  const intent = idOf(object.payment_intent)
  // Every payment of ours has an intent; what has none is not ours.
  if (intent === null) return {}
  return { intent, refund: { id, amountPence, status: status ?? 'unknown', isGone: isGone(status), stage: stageOf(status) } }
}

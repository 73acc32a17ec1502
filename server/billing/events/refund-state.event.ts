import type { Stripe } from 'stripe'
import type { PaymentChange } from '../payment-change.ts'
import { toId, toPence } from '../payment-change.ts'

/** Rank of each status: if two are reported in the same second, the one with the higher rank wins. `failed` and `canceled` refunds were returned to us. */
const ranks: Readonly<Record<string, number>> = { pending: 0, requires_action: 0, succeeded: 1, failed: 2, canceled: 2 }
const returnedRank = 2

const rankOf = (status: string | null): number => ranks[status ?? ''] ?? 0

/** Returns true if the money of a refund has left us; false if the refund failed and the money was returned to us. */
export const isGone = (status: string | null): boolean => rankOf(status) < returnedRank

/** Reads the state of a refund that was created, updated or failed. A pending refund counts as refunded, because the money has left us. */
export function refund(object: Stripe.Refund): PaymentChange {
  const { id, status } = object
  const amountPence = toPence(object.amount, object.currency, id)
  const intent = toId(object.payment_intent)
  // Without a PaymentIntent it is not one of our payments.
  if (intent === null) return {}
  return { intent, refund: { id, amountPence, status: status ?? 'unknown', isGone: isGone(status), stage: rankOf(status) } }
}

import type { Stripe } from 'stripe'
import type { PaymentFacts } from '../payment-facts.ts'
import { idOf, penceOf, topUpOf } from './read-object.ts'

/** Money went back. The charge says how much in all by now; what becomes of each refund is told by the refund itself. */
export function chargeRefunded(charge: Stripe.Charge): PaymentFacts {
  const refundedPence = penceOf(charge.amount_refunded, charge.currency, charge.id)
  return { topUp: topUpOf(charge.metadata), intent: idOf(charge.payment_intent), refundedPence }
}

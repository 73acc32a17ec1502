import type { Stripe } from 'stripe'
import type { PaymentChange } from '../payment-change.ts'
import { getTopUpId, toId, toPence } from '../payment-change.ts'

/** Reads the total refunded so far for a charge. Separate events report the outcome of each refund. */
export function chargeRefunded(charge: Stripe.Charge): PaymentChange {
  const refundedPence = toPence(charge.amount_refunded, charge.currency, charge.id)
  return { topUp: getTopUpId(charge.metadata), intent: toId(charge.payment_intent), refundedPence }
}

import type { Stripe } from 'stripe'
import type { PaymentChange } from '../payment-change.ts'
import { getTopUpId, toPence } from '../payment-change.ts'

/** Payment succeeded. This is the only event for a saved card; for a checkout it repeats what the session reports. */
export function paymentIntentSucceeded(payment: Stripe.PaymentIntent): PaymentChange {
  const amountPence = toPence(payment.amount_received, payment.currency, payment.id)
  return { topUp: getTopUpId(payment.metadata), intent: payment.id, outcome: 'paid', amountPence }
}

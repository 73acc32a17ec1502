import type { Stripe } from 'stripe'
import type { PaymentChange } from '../payment-change.ts'
import { getTopUpId, toPence } from '../payment-change.ts'

/** Reads a successful payment. For a saved card this is the only event; for a checkout it repeats the details of the session's event. */
export function paymentIntentSucceeded(payment: Stripe.PaymentIntent): PaymentChange {
  const amountPence = toPence(payment.amount_received, payment.currency, payment.id)
  return { topUp: getTopUpId(payment.metadata), intent: payment.id, outcome: 'paid', amountPence }
}

import type { Stripe } from 'stripe'
import type { PaymentFacts } from '../payment-facts.ts'
import { penceOf, topUpOf } from './read-object.ts'

/** A payment succeeded: for a saved card this is the event, for a checkout it says once more what the session said. */
export function paymentIntentSucceeded(payment: Stripe.PaymentIntent): PaymentFacts {
  const amountPence = penceOf(payment.amount_received, payment.currency, payment.id)
  return { topUp: topUpOf(payment.metadata), intent: payment.id, outcome: 'paid', amountPence }
}

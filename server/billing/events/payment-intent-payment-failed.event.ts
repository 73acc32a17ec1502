import type { Stripe } from 'stripe'
import type { PaymentFacts } from '../payment-facts.ts'
import { topUpOf } from './read-object.ts'

/** A card was declined. On a checkout page another one may be tried; the charge of a saved card has failed with it. */
export const paymentIntentPaymentFailed = (payment: Stripe.PaymentIntent): PaymentFacts => ({
  topUp: topUpOf(payment.metadata),
  intent: payment.id,
  outcome: 'declined',
  failure: payment.last_payment_error?.message ?? 'The card was declined.',
})

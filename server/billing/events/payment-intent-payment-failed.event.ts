import type { Stripe } from 'stripe'
import type { PaymentChange } from '../payment-change.ts'
import { getTopUpId } from '../payment-change.ts'

/** Reads a declined payment attempt. At a checkout the customer can still try another card; the charge of a saved card has failed. */
export const paymentIntentPaymentFailed = (payment: Stripe.PaymentIntent): PaymentChange => ({
  topUp: getTopUpId(payment.metadata),
  intent: payment.id,
  outcome: 'declined',
  failure: payment.last_payment_error?.message ?? 'The card was declined.',
})

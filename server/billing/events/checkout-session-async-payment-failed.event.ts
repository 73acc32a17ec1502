import type { Stripe } from 'stripe'
import type { PaymentFacts } from '../payment-facts.ts'
import { purchaseOf } from './checkout-session-facts.ts'

/** The money of a completed checkout will not come. */
export const checkoutSessionAsyncPaymentFailed = (session: Stripe.Checkout.Session): PaymentFacts => ({
  ...purchaseOf(session),
  outcome: 'failed',
  failure: 'The bank did not pay.',
})

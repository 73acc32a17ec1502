import type { Stripe } from 'stripe'
import type { PaymentChange } from '../payment-facts.ts'
import { toPurchase } from './checkout-session-facts.ts'

/** The delayed payment of a completed checkout failed. */
export const checkoutSessionAsyncPaymentFailed = (session: Stripe.Checkout.Session): PaymentChange => ({
  ...toPurchase(session),
  outcome: 'failed',
  failure: 'The bank did not pay.',
})

import type { Stripe } from 'stripe'
import type { PaymentChange } from '../payment-change.ts'
import { toPurchase } from '../payment-change.ts'

/** The delayed payment of a completed checkout failed. */
export const checkoutSessionAsyncPaymentFailed = (session: Stripe.Checkout.Session): PaymentChange => ({
  ...toPurchase(session),
  outcome: 'failed',
  failure: 'The bank did not complete the payment.',
})

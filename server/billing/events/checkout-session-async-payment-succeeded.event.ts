import type { Stripe } from 'stripe'
import type { PaymentChange } from '../payment-change.ts'
import { toPaidChange } from '../payment-change.ts'

/** The delayed payment of a completed checkout succeeded. */
export const checkoutSessionAsyncPaymentSucceeded = (session: Stripe.Checkout.Session): PaymentChange => toPaidChange(session)

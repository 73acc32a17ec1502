import type { Stripe } from 'stripe'
import type { PaymentChange } from '../payment-facts.ts'
import { toPaidChange } from './checkout-session-facts.ts'

/** The delayed payment of a completed checkout succeeded. */
export const checkoutSessionAsyncPaymentSucceeded = (session: Stripe.Checkout.Session): PaymentChange => toPaidChange(session)

import type { Stripe } from 'stripe'
import type { PaymentChange } from '../payment-change.ts'
import { toPaidChange } from '../payment-change.ts'

/** Reads the success of the delayed payment for a completed checkout. */
export const checkoutSessionAsyncPaymentSucceeded = (session: Stripe.Checkout.Session): PaymentChange => toPaidChange(session)

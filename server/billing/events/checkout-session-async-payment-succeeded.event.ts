import type { Stripe } from 'stripe'
import type { PaymentChange } from '../payment-change.ts'
import { toPaidChange } from '../payment-change.ts'

/** Reads the success of a delayed payment, such as a bank transfer, for a completed checkout. */
export const checkoutSessionAsyncPaymentSucceeded = (session: Stripe.Checkout.Session): PaymentChange => toPaidChange(session)

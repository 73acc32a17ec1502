import type { Stripe } from 'stripe'
import type { PaymentFacts } from '../payment-facts.ts'
import { paidFacts } from './checkout-session-facts.ts'

/** The money of a completed checkout arrived later. */
export const checkoutSessionAsyncPaymentSucceeded = (session: Stripe.Checkout.Session): PaymentFacts => paidFacts(session)

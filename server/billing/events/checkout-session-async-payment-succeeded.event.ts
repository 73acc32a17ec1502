import type { Stripe } from 'stripe'
import type { PaymentFacts } from '../payment-facts.ts'
import { paidFacts } from './checkout-session-facts.ts'

/** The delayed payment of a completed checkout succeeded. */
export const checkoutSessionAsyncPaymentSucceeded = (session: Stripe.Checkout.Session): PaymentFacts => paidFacts(session)

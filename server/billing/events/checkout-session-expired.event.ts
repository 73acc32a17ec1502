import type { Stripe } from 'stripe'
import type { PaymentFacts } from '../payment-facts.ts'
import { purchaseOf } from './checkout-session-facts.ts'

/** The page was left open until it closed. */
export const checkoutSessionExpired = (session: Stripe.Checkout.Session): PaymentFacts => ({ ...purchaseOf(session), outcome: 'expired' })

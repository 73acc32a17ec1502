import type { Stripe } from 'stripe'
import type { PaymentFacts } from '../payment-facts.ts'
import { toPurchase } from './checkout-session-facts.ts'

/** The checkout expired without a payment. */
export const checkoutSessionExpired = (session: Stripe.Checkout.Session): PaymentFacts => ({ ...toPurchase(session), outcome: 'expired' })

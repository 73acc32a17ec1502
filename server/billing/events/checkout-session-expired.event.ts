import type { Stripe } from 'stripe'
import type { PaymentChange } from '../payment-facts.ts'
import { toPurchase } from './checkout-session-facts.ts'

/** The checkout expired without a payment. */
export const checkoutSessionExpired = (session: Stripe.Checkout.Session): PaymentChange => ({ ...toPurchase(session), outcome: 'expired' })

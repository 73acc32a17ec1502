import type { Stripe } from 'stripe'
import type { PaymentChange } from '../payment-change.ts'
import { toPurchase } from '../payment-change.ts'

/** The checkout expired without a payment. */
export const checkoutSessionExpired = (session: Stripe.Checkout.Session): PaymentChange => ({ ...toPurchase(session), outcome: 'expired' })

import type { Stripe } from 'stripe'
import type { PaymentChange } from '../payment-change.ts'
import { toPurchase } from '../payment-change.ts'

/** Reads the expiry of a checkout without a payment. */
export const checkoutSessionExpired = (session: Stripe.Checkout.Session): PaymentChange => ({ ...toPurchase(session), outcome: 'expired' })

import type { Stripe } from 'stripe'
import type { PaymentChange } from '../payment-change.ts'
import { RefusedChangeError, toPaidChange, toPurchase } from '../payment-change.ts'

/** Checkout completed. Cards are paid immediately; some other payment methods take days. */
export function checkoutSessionCompleted(session: Stripe.Checkout.Session): PaymentChange {
  if (session.payment_status === 'paid') return toPaidChange(session)
  if (session.payment_status === 'unpaid') return { ...toPurchase(session), outcome: 'pending' }
  throw new RefusedChangeError(`${session.id} was completed without a payment`)
}

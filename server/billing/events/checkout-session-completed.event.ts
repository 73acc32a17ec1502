import type { Stripe } from 'stripe'
import type { PaymentChange } from '../payment-change.ts'
import { RefusedChangeError, toPaidChange, toPurchase } from '../payment-change.ts'

/** Reads the outcome of a completed checkout. Card payments are immediate; some other payment methods take days and are pending until then. */
export function checkoutSessionCompleted(session: Stripe.Checkout.Session): PaymentChange {
  if (session.payment_status === 'paid') return toPaidChange(session)
  if (session.payment_status === 'unpaid') return { ...toPurchase(session), outcome: 'pending' }
  throw new RefusedChangeError(`${session.id} was completed without a payment`)
}

import type { Stripe } from 'stripe'
import type { PaymentFacts } from '../payment-facts.ts'
import { RefusedFactsError } from '../payment-facts.ts'
import { paidFacts, toPurchase } from './checkout-session-facts.ts'

/** Checkout completed. Cards are paid immediately; some other payment methods take days. */
export function checkoutSessionCompleted(session: Stripe.Checkout.Session): PaymentFacts {
  if (session.payment_status === 'paid') return paidFacts(session)
  if (session.payment_status === 'unpaid') return { ...toPurchase(session), outcome: 'pending' }
  throw new RefusedFactsError(`${session.id} was completed without a payment`)
}

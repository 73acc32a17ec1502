import type { Stripe } from 'stripe'
import type { PaymentFacts } from '../payment-facts.ts'
import { RefusedFactsError } from '../payment-facts.ts'
import { paidFacts, purchaseOf } from './checkout-session-facts.ts'

/** The customer went through the page. With a card the money is there; some other ways to pay take days to say so. */
export function checkoutSessionCompleted(session: Stripe.Checkout.Session): PaymentFacts {
  if (session.payment_status === 'paid') return paidFacts(session)
  if (session.payment_status === 'unpaid') return { ...purchaseOf(session), outcome: 'pending' }
  throw new RefusedFactsError(`${session.id} was completed without a payment`)
}

import type { Stripe } from 'stripe'
import type { PaymentFacts } from '../payment-facts.ts'
import { idOf, penceOf, topUpOf } from './read-object.ts'

/** Whose purchase a checkout session is. */
export function purchaseOf(session: Stripe.Checkout.Session): PaymentFacts {
  return { topUp: session.client_reference_id ?? topUpOf(session.metadata), session: session.id, intent: idOf(session.payment_intent) }
}

/** A checkout that was paid. */
export function paidFacts(session: Stripe.Checkout.Session): PaymentFacts {
  return { ...purchaseOf(session), outcome: 'paid', amountPence: penceOf(session.amount_total, session.currency, session.id) }
}

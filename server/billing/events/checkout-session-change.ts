import type { Stripe } from 'stripe'
import type { PaymentChange } from '../payment-change.ts'
import { getTopUpId, toId, toPence } from './read-object.ts'

/** Extracts the ids that link a checkout session to its top-up. */
export function toPurchase(session: Stripe.Checkout.Session): PaymentChange {
  return { topUp: session.client_reference_id ?? getTopUpId(session.metadata), session: session.id, intent: toId(session.payment_intent) }
}

/** Builds the facts of a paid checkout. */
export function toPaidChange(session: Stripe.Checkout.Session): PaymentChange {
  return { ...toPurchase(session), outcome: 'paid', amountPence: toPence(session.amount_total, session.currency, session.id) }
}

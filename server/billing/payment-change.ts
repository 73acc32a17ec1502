import type { Stripe } from 'stripe'

/** Details of a payment, from a webhook event or an API response. Merging is idempotent and order-independent, so the order of events doesn't matter. */
export type PaymentChange = {
  /** Public id of the top-up, from the payment's metadata. */
  readonly topUp?: string | null
  readonly session?: string | null
  readonly intent?: string | null
  /** `declined`: an attempt failed, but the customer can still try again on the checkout page. */
  readonly outcome?: 'paid' | 'pending' | 'failed' | 'declined' | 'expired'
  /** Amount paid; set if `outcome` is `paid`. */
  readonly amountPence?: number | null
  readonly failure?: string | null
  /** Total refunded so far. */
  readonly refundedPence?: number
  /** State of a single refund. Comes from refund events, which contain no other details except the payment's id. */
  readonly refund?: RefundChange
  readonly dispute?: DisputeChange
}

/** State of a refund or dispute. `stage` orders statuses reported in the same second. */
type ReturnState = { readonly id: string; readonly amountPence: number; readonly status: string; readonly stage: number }

/** `isGone` is true if the money has been refunded or is being refunded; false if the refund failed and the money was returned to us. */
export type RefundChange = ReturnState & { readonly isGone: boolean }

/** `isTaken` is true if the money is withheld: while the bank is deciding, or because it decided against us. */
export type DisputeChange = ReturnState & { readonly isTaken: boolean }

/** Source of payment details. `event` is null if they come from the response to an API call. */
export type ChangeSource = { readonly event: { readonly id: string; readonly type: string } | null; readonly isLive: boolean; readonly at: Date }

/** Thrown when payment details from Stripe contradict the purchase. Nothing was changed. */
export class RefusedChangeError extends Error {
  override name = 'RefusedChangeError'
}

/** Returns the public id of the top-up from the metadata of a payment. */
export const getTopUpId = (metadata: Stripe.Metadata | null): string | null => metadata?.['top_up'] ?? null

/** Returns the id of an object that Stripe sends either as an id or expanded. */
export const toId = (thing: string | { readonly id: string } | null): string | null => (typeof thing === 'string' ? thing : (thing?.id ?? null))

/** Validates an amount in pence. @throws RefusedChangeError if it is missing, not whole pence, or not in GBP */
export function toPence(amount: number | null, currency: string | null, what: string): number {
  if (currency !== 'gbp') throw new RefusedChangeError(`${what} is in ${currency ?? 'an unknown currency'}, not in gbp`)
  if (amount === null || !Number.isSafeInteger(amount) || amount < 0) throw new RefusedChangeError(`${what} has no amount in whole pence`)
  return amount
}

/** Extracts the ids of the top-up, the session and the payment from a checkout session. */
export function toPurchase(session: Stripe.Checkout.Session): PaymentChange {
  return { topUp: session.client_reference_id ?? getTopUpId(session.metadata), session: session.id, intent: toId(session.payment_intent) }
}

/** Extracts the details of a paid checkout session. */
export function toPaidChange(session: Stripe.Checkout.Session): PaymentChange {
  return { ...toPurchase(session), outcome: 'paid', amountPence: toPence(session.amount_total, session.currency, session.id) }
}

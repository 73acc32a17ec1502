import type { Stripe } from 'stripe'
import { getTopUpId, type PaymentChange, RefusedChangeError, toId, toPaidChange, toPence, toPurchase } from './payment-change.ts'

/** Rank of each refund status: if two are reported in the same second, the higher rank wins. `failed` and `canceled` mean that the money was returned to us. */
const refundRanks: Readonly<Record<string, number>> = { pending: 0, requires_action: 0, succeeded: 1, failed: 2, canceled: 2 }
const returnedRank = 2

const refundRank = (status: string | null): number => refundRanks[status ?? ''] ?? 0

/** Returns true if the refunded money has left our balance; false if the refund failed and the money was returned to us. */
export const isGone = (status: string | null): boolean => refundRank(status) < returnedRank

/** Reads the state of a refund that was created, updated or failed. A pending refund counts as refunded, because the money has left our balance. */
function readRefund({ id, status, amount, currency, payment_intent: payment }: Stripe.Refund): PaymentChange {
  const amountPence = toPence(amount, currency, id)
  const intent = toId(payment)
  // Without a PaymentIntent, the payment is not one of ours.
  if (intent === null) return {}
  return { intent, refund: { id, amountPence, status: status ?? 'unknown', isGone: isGone(status), stage: refundRank(status) } }
}

/** Statuses in which the money was not taken or has been returned. Inquiries, whose statuses start with `warning`, take no money. */
const notTaken = new Set<string>(['won', 'prevented', 'warning_needs_response', 'warning_under_review', 'warning_closed'])

/** Rank of each dispute status: if two are reported in the same second, the higher rank wins. */
const disputeRanks: Readonly<Record<string, number>> = {
  warning_needs_response: 0,
  warning_under_review: 0,
  won: 3,
  lost: 2,
  warning_closed: 2,
  prevented: 2,
}
const openRank = 1

/** Reads the state of a dispute that was opened, updated or closed. A later event overrides an earlier one, for example after an appeal. */
function readDispute({ id, status, amount, currency, payment_intent: payment }: Stripe.Dispute): PaymentChange {
  const amountPence = toPence(amount, currency, id)
  const intent = toId(payment)
  // Without a PaymentIntent it is not one of our payments.
  if (intent === null) return {}
  return { intent, dispute: { id, amountPence, status, isTaken: !notTaken.has(status), stage: disputeRanks[status] ?? openRank } }
}

type ObjectOf<Type extends Stripe.Event['type']> = Extract<Stripe.Event, { type: Type }>['data']['object']

/** Functions that read the payment details from an event's object, by event type. They throw RefusedChangeError if the details are impossible. */
type Readers<Type extends Stripe.Event['type']> = { readonly [T in Type]: (object: ObjectOf<T>) => PaymentChange }

/** Events that this service acts on. All others are acknowledged and ignored. */
const stripeEvents = {
  // Card payments are immediate; some other payment methods take days and are pending until then.
  'checkout.session.completed': (session) => {
    if (session.payment_status === 'paid') return toPaidChange(session)
    if (session.payment_status === 'unpaid') return { ...toPurchase(session), outcome: 'pending' }
    throw new RefusedChangeError(`${session.id} was completed without a payment`)
  },
  'checkout.session.async_payment_succeeded': toPaidChange,
  'checkout.session.async_payment_failed': (session) => ({
    ...toPurchase(session),
    outcome: 'failed',
    failure: 'The bank did not complete the payment.',
  }),
  'checkout.session.expired': (session) => ({ ...toPurchase(session), outcome: 'expired' }),
  // For a saved card, this is the only event; for a checkout, it repeats the details from the session's event.
  'payment_intent.succeeded': (payment) => ({
    topUp: getTopUpId(payment.metadata),
    intent: payment.id,
    outcome: 'paid',
    amountPence: toPence(payment.amount_received, payment.currency, payment.id),
  }),
  // At a checkout the customer can still try another card. For a saved card, the charge has failed.
  'payment_intent.payment_failed': (payment) => ({
    topUp: getTopUpId(payment.metadata),
    intent: payment.id,
    outcome: 'declined',
    failure: payment.last_payment_error?.message ?? 'The card was declined.',
  }),
  // The total refunded so far for a charge. Separate events report the outcome of each refund.
  'charge.refunded': (charge) => ({
    topUp: getTopUpId(charge.metadata),
    intent: toId(charge.payment_intent),
    refundedPence: toPence(charge.amount_refunded, charge.currency, charge.id),
  }),
  'refund.created': readRefund,
  'refund.updated': readRefund,
  'refund.failed': readRefund,
  'charge.dispute.created': readDispute,
  'charge.dispute.updated': readDispute,
  'charge.dispute.closed': readDispute,
} as const satisfies Partial<Readers<Stripe.Event['type']>>

type KnownType = keyof typeof stripeEvents

export type KnownEvent = Extract<Stripe.Event, { type: KnownType }>

export const isKnown = (event: Stripe.Event): event is KnownEvent => Object.hasOwn(stripeEvents, event.type)

/** Reads the payment details from an event. @throws RefusedChangeError if they are impossible */
export function readPaymentChange(event: KnownEvent): PaymentChange {
  const read = stripeEvents[event.type] as (object: KnownEvent['data']['object']) => PaymentChange
  return read(event.data.object)
}

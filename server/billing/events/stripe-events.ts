import type { Stripe } from 'stripe'
import type { PaymentChange } from '../payment-change.ts'
import { chargeDispute } from './charge-dispute.event.ts'
import { chargeRefunded } from './charge-refunded.event.ts'
import { checkoutSessionAsyncPaymentFailed } from './checkout-session-async-payment-failed.event.ts'
import { checkoutSessionAsyncPaymentSucceeded } from './checkout-session-async-payment-succeeded.event.ts'
import { checkoutSessionCompleted } from './checkout-session-completed.event.ts'
import { checkoutSessionExpired } from './checkout-session-expired.event.ts'
import { paymentIntentPaymentFailed } from './payment-intent-payment-failed.event.ts'
import { paymentIntentSucceeded } from './payment-intent-succeeded.event.ts'
import { refund } from './refund-state.event.ts'

type ObjectOf<Type extends Stripe.Event['type']> = Extract<Stripe.Event, { type: Type }>['data']['object']

/** Functions, by event type, that read the payment details from an event's object. They throw RefusedChangeError if the details are impossible. */
type Readers<Type extends Stripe.Event['type']> = { readonly [T in Type]: (object: ObjectOf<T>) => PaymentChange }

/** Events that this service acts on. All others are acknowledged and ignored. */
export const stripeEvents = {
  'checkout.session.completed': checkoutSessionCompleted,
  'checkout.session.async_payment_succeeded': checkoutSessionAsyncPaymentSucceeded,
  'checkout.session.async_payment_failed': checkoutSessionAsyncPaymentFailed,
  'checkout.session.expired': checkoutSessionExpired,
  'payment_intent.succeeded': paymentIntentSucceeded,
  'payment_intent.payment_failed': paymentIntentPaymentFailed,
  'charge.refunded': chargeRefunded,
  'refund.created': refund,
  'refund.updated': refund,
  'refund.failed': refund,
  'charge.dispute.created': chargeDispute,
  'charge.dispute.updated': chargeDispute,
  'charge.dispute.closed': chargeDispute,
} as const satisfies Partial<Readers<Stripe.Event['type']>>

type KnownType = keyof typeof stripeEvents

export type KnownEvent = Extract<Stripe.Event, { type: KnownType }>

export const isKnown = (event: Stripe.Event): event is KnownEvent => Object.hasOwn(stripeEvents, event.type)

/** Reads the payment details from an event. @throws RefusedChangeError if they are impossible */
export function readPaymentChange(event: KnownEvent): PaymentChange {
  const read = stripeEvents[event.type] as (object: KnownEvent['data']['object']) => PaymentChange
  return read(event.data.object)
}

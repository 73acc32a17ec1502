import { randomBytes } from 'node:crypto'
import { Stripe } from 'stripe'

/** Checkout session. Like the other Stripe objects below, it has only the fields that this service reads. */
export type Session = {
  id: string
  object: 'checkout.session'
  client_reference_id: string | null
  customer: string | null
  metadata: Record<string, string>
  amount_total: number
  currency: string
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  payment_intent: string | null
  invoice: string | null
  livemode: boolean
  url: string | null
}

export type Charge = {
  id: string
  object: 'charge'
  amount: number
  amount_refunded: number
  currency: string
  payment_intent: string
  metadata: Record<string, string>
  receipt_url: string
  livemode: boolean
}

export type Payment = {
  id: string
  object: 'payment_intent'
  amount: number
  amount_received: number
  currency: string
  customer: string | null
  created: number
  metadata: Record<string, string>
  status: 'succeeded' | 'processing' | 'requires_payment_method' | 'requires_action'
  payment_method: string | null
  latest_charge: string | null
  last_payment_error: { message: string } | null
  livemode: boolean
}

export type Dispute = {
  id: string
  object: 'dispute'
  amount: number
  currency: string
  created: number
  payment_intent: string
  charge: string
  status: string
}

export type Refund = {
  id: string
  object: 'refund'
  amount: number
  currency: string
  created: number
  payment_intent: string
  charge: string
  status: 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled'
}

export const newId = (prefix: string): string => `${prefix}_${randomBytes(9).toString('hex')}`

export const nowSeconds = (): number => Math.floor(Date.now() / 1_000)

export type StripeEvent = { id: string; object: 'event'; type: string; created: number; livemode: boolean; data: { object: object } }

/** Creates an event as Stripe sends it. The object is copied, because an event is a snapshot of its state. */
export function getEvent(type: string, object: object, changes: Partial<StripeEvent> = {}): StripeEvent {
  return { id: newId('evt'), object: 'event', type, created: nowSeconds(), livemode: false, data: { object: structuredClone(object) }, ...changes }
}

export const webhookSecret = 'whsec_of_the_tests_0123456789'

export type Signed = { readonly body: string; readonly signature: string }

/** Signs an event with the SDK's test signer. */
export function sign(event: StripeEvent | string, { secret = webhookSecret, at = nowSeconds() } = {}): Signed {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  return { body, signature: Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: at }) }
}

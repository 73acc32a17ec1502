import { createHmac } from 'node:crypto'
import type { BillingDetails } from '#server/api/contract/billing-details.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { Database } from '#server/db/prisma.ts'
import type { Log } from '#server/observability/log.ts'

/** `live` payments use real money, and `test` payments use Stripe's test mode; `simulated` payments use our own checkout page and no money. */
export type PaymentMode = 'live' | 'test' | 'simulated'

/** Purchase as sent to the payment provider. */
export type Order = {
  /** Public id of the top-up. Part of every payment's metadata, and the base of its idempotency key. */
  readonly topUp: string
  readonly account: string
  readonly customer: string
  readonly amountPence: number
  readonly credits: number
}

export type CheckoutOrder = Order & {
  readonly savesCard: boolean
  /** Details for the invoice. Null if the account has none: the customer then enters them at checkout. */
  readonly billedTo: BillingDetails | null
  readonly expiresAt: Date
  /** URL to which the browser returns after payment. If the customer cancels, it returns to `cancelledUrl` instead. */
  readonly paidUrl: string
  readonly cancelledUrl: string
}

/** Outcome of charging a saved card. `unknown` means that the response was lost: `findCharge` can find the charge later. */
export type Charged =
  | { readonly outcome: 'paid'; readonly intent: string; readonly amountPence: number }
  | { readonly outcome: 'pending'; readonly intent: string }
  | { readonly outcome: 'failed'; readonly intent: string | null; readonly reason: string }
  | { readonly outcome: 'unknown' }

export type SavedCard = { readonly method: string; readonly brand: string; readonly last4: string; readonly expires: string }

export type PaymentLinks = { readonly receiptUrl: string | null; readonly invoiceUrl: string | null; readonly invoicePdfUrl: string | null }

/** Payment as listed by Stripe, for reconciliation. */
export type ListedPayment = {
  readonly intent: string
  readonly topUp: string | null
  readonly amountPence: number
  readonly isPaid: boolean
  readonly isLive: boolean
  readonly createdAt: Date
}

export type ListedDispute = {
  readonly id: string
  readonly intent: string | null
  readonly amountPence: number
  readonly status: string
  readonly createdAt: Date
}

export type ListedRefund = ListedDispute & {
  /** True if the money has been refunded or is being refunded. */
  readonly isGone: boolean
}

/** Payments, refunds and disputes that were created since a given time. A refund or dispute may belong to a payment that is much older. */
export type PaymentLists = {
  readonly payments: AsyncIterable<ListedPayment>
  readonly refunds: AsyncIterable<ListedRefund>
  readonly disputes: AsyncIterable<ListedDispute>
}

/** Thrown when the payment provider no longer has a customer, for example because it was deleted there. */
export class NoCustomerError extends Error {
  override name = 'NoCustomerError'
}

/** Payment provider: Stripe, or its simulation. Every call has a timeout, and calls that create something are idempotent. */
export type Payments = {
  readonly mode: PaymentMode
  /** Creates a customer. `instead` is the deleted customer that it replaces, or null. */
  makeCustomer: (account: { readonly publicId: string; readonly email: string; readonly instead: string | null }) => Promise<string>
  /** @throws NoCustomerError */
  setEmail: (customer: string, email: string) => Promise<void>
  /** Sets the name and address, and deletes tax ids that the customer entered at a checkout. @throws NoCustomerError */
  setDetails: (customer: string, details: BillingDetails) => Promise<void>
  /**
   * Deletes the name, address and tax ids of a customer. With `portal`, only if `setDetails` set them: those entered at a checkout stay.
   * @throws NoCustomerError
   */
  removeDetails: (customer: string, includes: 'portal' | 'all') => Promise<void>
  /** Deletes all saved cards of a customer. @throws NoCustomerError */
  removeCards: (customer: string) => Promise<void>
  /** @throws NoCustomerError */
  openCheckout: (order: CheckoutOrder) => Promise<{ readonly session: string; readonly url: string }>
  /** Expires a checkout, so that it can no longer be paid. A checkout that has already ended is left unchanged. */
  closeCheckout: (checkout: { readonly topUp: string; readonly session: string }) => Promise<void>
  chargeSavedCard: (order: Order & { readonly method: string }) => Promise<Charged>
  /** Looks up the charge of a saved card for this top-up, after its response was lost; null if there is none. */
  findCharge: (order: Order & { readonly begunAt: Date }) => Promise<Charged | null>
  /** Returns the card of a payment; null if it can't be reused. */
  getCard: (intent: string) => Promise<SavedCard | null>
  getLinks: (payment: { readonly intent: string; readonly session: string | null }) => Promise<PaymentLinks>
  /** Returns the URL where the customer manages cards, invoices and billing details; null if the provider has none. @throws NoCustomerError */
  getCustomerPage: (customer: string, returnUrl: string) => Promise<string | null>
  /** Lists the payments, refunds and disputes created since a given time; null for simulated payments, which have nothing to compare with. */
  list: (since: Date) => PaymentLists | null
}

export type BillingSettings = {
  /** Stripe secret key. If null, payments are simulated when development features are on, and unavailable otherwise. */
  readonly stripeKey: string | null
  /** Secret that Stripe signs its events with. */
  readonly webhookSecret: string | null
  /** Base URL of Stripe's API; null for the default. */
  readonly stripeBase: string | null
  /** VAT included in prices: its rate in basis points, and the id of the matching Stripe tax rate, for invoices. Null if no VAT is shown. */
  readonly vat: { readonly basisPoints: number; readonly stripeTaxRate: string | null } | null
  /** Credits that one administrator may move per account per day without a second administrator's approval. */
  readonly fourEyesCredits: number
  readonly developmentFeatures: boolean
  readonly publicUrl: string
  /** Service secret, from which the signing secret for simulated payments is derived. */
  readonly secret: string
}

/** Dependencies of the billing module. */
export type BillingDeps = {
  readonly pool: Database
  readonly log: Log
  readonly settings: BillingSettings
  /** Null if payments are unavailable: Stripe is not configured and development features are off. */
  readonly payments: Payments | null
  /** Origin that this process listens on, once known; simulated payments post their events there. */
  readonly address: { origin: string | null }
}

/** Thrown when a billing action is not possible for a reason that isn't tied to a single form field. The message is shown to the user. */
export class BillingError extends FieldsError {
  constructor(message: string) {
    super({ form: message })
    this.name = 'BillingError'
  }
}

/** Returns true for a live-mode Stripe key. */
export const isLiveKey = (stripeKey: string): boolean => /^(?:sk|rk)_live_/.test(stripeKey)

/** Returns the payment mode of this service; null if payments are unavailable. In production, only live mode is allowed. */
export function getPaymentMode({ stripeKey, developmentFeatures }: BillingSettings): PaymentMode | null {
  if (stripeKey !== null && isLiveKey(stripeKey)) return 'live'
  if (!developmentFeatures) return null
  return stripeKey === null ? 'simulated' : 'test'
}

/** Returns true if live-mode events are expected: always in production, even without a Stripe key. */
export function expectsLive(settings: BillingSettings): boolean {
  return !settings.developmentFeatures || getPaymentMode(settings) === 'live'
}

/** Returns the secret that events are signed with: the configured one, or a derived one for simulated payments. Null if there is none. */
export function getWebhookSecret(settings: BillingSettings): string | null {
  if (settings.webhookSecret !== null) return settings.webhookSecret
  return getPaymentMode(settings) === 'simulated' ? `whsec_${createHmac('sha256', settings.secret).update('simulated payments').digest('hex')}` : null
}

/** Returns the payment provider. @throws BillingError if no payment provider or webhook secret is configured */
export function requirePayments({ payments, settings, log }: BillingDeps): Payments {
  if (payments && getWebhookSecret(settings) !== null) return payments
  const missing = payments ? 'STRIPE_WEBHOOK_SECRET' : 'STRIPE_SECRET_KEY'
  log.error(
    `A payment was requested, but ${missing} is not set. Set both STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET. Outside production, leave both unset to simulate payments.`,
  )
  throw new BillingError('Payments are not set up on this service.')
}

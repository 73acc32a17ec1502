import type { Stripe } from 'stripe'
import { productName } from '#server/api/contract/product-name.ts'
import {
  type BillingSettings,
  type Charged,
  type CheckoutOrder,
  type ListedDispute,
  type ListedPayment,
  type ListedRefund,
  NoCustomerError,
  type Order,
  type PaymentLists,
  type Payments,
} from './billing-deps.ts'
import { toId } from './payment-change.ts'
import { rethrowMissingCustomer, stripeCustomers } from './stripe-customers.ts'
import { isGone } from './stripe-events.ts'
import { loadStripe, openStripe } from './stripe-sdk.ts'

type OpenStripe = () => Promise<Stripe>
type Created = { readonly gte: number }

const toDate = (created: number): Date => new Date(created * 1_000)

async function* listPayments(open: OpenStripe, created: Created): AsyncIterable<ListedPayment> {
  for await (const payment of (await open()).paymentIntents.list({ created, limit: pageSize })) {
    yield {
      intent: payment.id,
      topUp: payment.metadata['top_up'] ?? null,
      amountPence: payment.amount_received,
      isPaid: payment.status === 'succeeded',
      isLive: payment.livemode,
      createdAt: toDate(payment.created),
    }
  }
}

async function* listRefunds(open: OpenStripe, created: Created): AsyncIterable<ListedRefund> {
  for await (const refund of (await open()).refunds.list({ created, limit: pageSize })) {
    const { id, payment_intent: intent, amount: amountPence, status } = refund
    yield { id, intent: toId(intent), amountPence, status: status ?? 'unknown', isGone: isGone(status), createdAt: toDate(refund.created) }
  }
}

async function* listDisputes(open: OpenStripe, created: Created): AsyncIterable<ListedDispute> {
  for await (const dispute of (await open()).disputes.list({ created, limit: pageSize })) {
    const { id, payment_intent: intent, amount: amountPence, status } = dispute
    yield { id, intent: toId(intent), amountPence, status, createdAt: toDate(dispute.created) }
  }
}

/** Lists the payments, refunds and disputes created at Stripe since a given time. The API client is created when the first item of a list is read. */
function listSince(open: OpenStripe, since: Date): PaymentLists {
  const created = { gte: Math.floor(since.getTime() / 1_000) }
  return { payments: listPayments(open, created), refunds: listRefunds(open, created), disputes: listDisputes(open, created) }
}

/** Creates the metadata that links a payment to its top-up. Stripe copies it to the payment's charge. */
const toMetadata = ({ topUp, account }: Order) => ({ top_up: topUp, account })

const toDescription = ({ credits }: Order) => `${credits} service credits`

const pageSize = 100
/** Maximum number of a customer's payments to search for a charge. */
const maxSearched = 1_000

/**
 * Builds the parameters for the details on the invoice. Details from the portal can't be changed at checkout, so that the invoice shows them as they are. The VAT
 * number is a field of the invoice, because Stripe would reject a tax id that it can't read.
 */
function toInvoiceParams(order: CheckoutOrder, vat: BillingSettings['vat']): Partial<Stripe.Checkout.SessionCreateParams> {
  const { billedTo } = order
  const metadata = toMetadata(order)
  if (billedTo === null)
    return {
      customer_update: { name: 'auto', address: 'auto' },
      invoice_creation: { enabled: true, invoice_data: { metadata } },
      billing_address_collection: vat ? 'required' : 'auto',
      tax_id_collection: { enabled: vat !== null },
    }
  const fields = billedTo.vatNumber === '' ? {} : { custom_fields: [{ name: 'Your VAT number', value: billedTo.vatNumber }] }
  return { invoice_creation: { enabled: true, invoice_data: { metadata, ...fields } }, billing_address_collection: 'auto' }
}

/** Builds the parameters of a checkout session. The amount is the one the customer agreed to pay, so discounts and currency conversion are off. */
function toSessionParams(order: CheckoutOrder, vat: BillingSettings['vat']): Stripe.Checkout.SessionCreateParams {
  const metadata = toMetadata(order)
  const product = { name: toDescription(order), description: `Prepaid credits for the ${productName}.` }
  return {
    mode: 'payment',
    submit_type: 'pay',
    locale: 'en-GB',
    customer: order.customer,
    client_reference_id: order.topUp,
    metadata,
    line_items: [
      {
        quantity: 1,
        price_data: { currency: 'gbp', unit_amount: order.amountPence, product_data: product },
        ...(vat?.stripeTaxRate ? { tax_rates: [vat.stripeTaxRate] } : {}),
      },
    ],
    payment_intent_data: { description: product.name, metadata, ...(order.savesCard ? { setup_future_usage: 'off_session' } : {}) },
    adaptive_pricing: { enabled: false },
    allow_promotion_codes: false,
    ...toInvoiceParams(order, vat),
    expires_at: Math.floor(order.expiresAt.getTime() / 1_000),
    success_url: order.paidUrl,
    cancel_url: order.cancelledUrl,
  }
}

/** Returns null if Stripe no longer has the customer, because then there is no charge to find. Rethrows any other error. */
function nullIfNoCustomer(error: unknown): null {
  if (error instanceof NoCustomerError) return null
  throw error
}

/** Returns the session's id and URL. Throws if its amount differs from the agreed amount, because the payment would be rejected later. */
function toCheckout({ id, url, amount_total: pence }: Stripe.Checkout.Session, { amountPence }: CheckoutOrder) {
  if (url === null) throw new Error(`Stripe returned no URL for checkout ${id}.`)
  if (pence !== amountPence) {
    throw new Error(`Stripe would charge ${pence} pence for checkout ${id} instead of ${amountPence}. The tax rate in STRIPE_TAX_RATE must be inclusive.`)
  }
  return { session: id, url }
}

/** Expires a checkout. Ignores the invalid-request error for a checkout that was paid or has expired, because an event reports its outcome. */
async function closeCheckout(stripe: Stripe, session: string): Promise<void> {
  const { errors } = await loadStripe()
  await stripe.checkout.sessions.expire(session).catch((error: unknown) => {
    if (!(error instanceof errors.StripeInvalidRequestError)) throw error
  })
}

/** Derives the outcome from a payment. A payment that requires action by the customer counts as failed, because the customer is not present. */
function toCharged({ id, status, amount_received: amountPence, last_payment_error: error }: Stripe.PaymentIntent): Charged {
  if (status === 'succeeded') return { outcome: 'paid', intent: id, amountPence }
  if (status === 'processing') return { outcome: 'pending', intent: id }
  return { outcome: 'failed', intent: id, reason: error?.message ?? 'Your bank needs you to approve this payment.' }
}

/** Derives the outcome from an API error: a declined card or a rejected request is final; anything else leaves the outcome unknown. */
async function toRefusal(error: unknown): Promise<Charged> {
  const { errors } = await loadStripe()
  if (error instanceof errors.StripeCardError) {
    return { outcome: 'failed', intent: error.payment_intent?.id ?? null, reason: error.message }
  }
  if (error instanceof errors.StripeInvalidRequestError) return { outcome: 'failed', intent: null, reason: 'The saved card can no longer be used.' }
  return { outcome: 'unknown' }
}

async function findCharge(stripe: Stripe, { customer, topUp, begunAt }: Order & { begunAt: Date }): Promise<Charged | null> {
  // Allow for a minute of clock skew.
  const created = { gte: Math.floor(begunAt.getTime() / 1_000) - 60 }
  let searched = 0
  for await (const payment of stripe.paymentIntents.list({ customer, created, limit: pageSize })) {
    if (payment.metadata['top_up'] === topUp) return toCharged(payment)
    searched += 1
    if (searched >= maxSearched) throw new Error(`Customer ${customer} has too many payments to search.`)
  }
  return null
}

async function getCard(stripe: Stripe, intent: string) {
  const { payment_method: method } = await stripe.paymentIntents.retrieve(intent, { expand: ['payment_method'] })
  if (method === null || typeof method === 'string' || method.card === undefined || method.customer === null) return null
  const { brand, last4, exp_month: month, exp_year: year } = method.card
  return { method: method.id, brand, last4, expires: `${String(month).padStart(2, '0')}/${year}` }
}

async function getLinks(stripe: Stripe, { intent, session }: { intent: string; session: string | null }) {
  const [payment, checkout] = await Promise.all([
    stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] }),
    session === null ? null : stripe.checkout.sessions.retrieve(session, { expand: ['invoice'] }),
  ])
  const charge = typeof payment.latest_charge === 'object' ? payment.latest_charge : null
  const invoice = typeof checkout?.invoice === 'object' ? checkout.invoice : null
  return { receiptUrl: charge?.receipt_url ?? null, invoiceUrl: invoice?.hosted_invoice_url ?? null, invoicePdfUrl: invoice?.invoice_pdf ?? null }
}

/** Creates payments through Stripe. Calls that create something carry an idempotency key, so repeating them is safe. */
export function stripePayments(settings: BillingSettings & { stripeKey: string }, mode: 'live' | 'test'): Payments {
  let opened: Promise<Stripe> | undefined
  const stripe = () => (opened ??= openStripe(settings.stripeKey, settings.stripeBase))
  return {
    mode,
    ...stripeCustomers(stripe),
    openCheckout: async (order) => {
      // The key includes the customer: a checkout requested for a deleted customer was never created, so the checkout for the replacement customer needs
      // another key.
      const idempotencyKey = `checkout ${order.topUp} ${order.customer}`
      const session = await (await stripe()).checkout.sessions.create(toSessionParams(order, settings.vat), { idempotencyKey }).catch(rethrowMissingCustomer)
      return toCheckout(session, order)
    },
    closeCheckout: async ({ session }) => closeCheckout(await stripe(), session),
    chargeSavedCard: async (order) => {
      const params = { amount: order.amountPence, currency: 'gbp', customer: order.customer, payment_method: order.method, off_session: true, confirm: true }
      const details = { description: toDescription(order), metadata: toMetadata(order) }
      const charge = (await stripe()).paymentIntents.create({ ...params, ...details }, { idempotencyKey: `charge ${order.topUp}` })
      return charge.then(toCharged, toRefusal)
    },
    findCharge: async (order) =>
      findCharge(await stripe(), order)
        .catch(rethrowMissingCustomer)
        .catch(nullIfNoCustomer),
    getCard: async (intent) => getCard(await stripe(), intent),
    getLinks: async (payment) => getLinks(await stripe(), payment),
    list: (since) => listSince(stripe, since),
  }
}

import { createHash } from 'node:crypto'
import type { Stripe } from 'stripe'
import type { BillingSettings } from './billing-room.ts'
import { type Charged, type CheckoutOrder, NoCustomerError, type Order, type Payments } from './payments.ts'
import { listSince } from './stripe-lists.ts'
import { loadStripe, openStripe } from './stripe-sdk.ts'

/** The name under which a payment carries the top-up that it is for; a charge takes it over from its payment. */
const metadataOf = ({ topUp, account }: Order) => ({ top_up: topUp, account })

const descriptionOf = ({ credits }: Order) => `${credits} service credits`

const pageSize = 100
/** Payments of one customer that are looked through for one of the last day. */
const mostLookedThrough = 1_000

/** What the checkout page is asked to do. The amount is what the account agreed to pay: nothing may be added to it or taken off on the page. */
function sessionOf(order: CheckoutOrder, vat: BillingSettings['vat']): Stripe.Checkout.SessionCreateParams {
  const metadata = metadataOf(order)
  const product = { name: descriptionOf(order), description: 'Prepaid credits for the Savings Rates Data API.' }
  return {
    mode: 'payment',
    submit_type: 'pay',
    locale: 'en-GB',
    customer: order.customer,
    customer_update: { name: 'auto', address: 'auto' },
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
    invoice_creation: { enabled: true, invoice_data: { metadata } },
    adaptive_pricing: { enabled: false },
    allow_promotion_codes: false,
    billing_address_collection: vat ? 'required' : 'auto',
    tax_id_collection: { enabled: vat !== null },
    expires_at: Math.floor(order.expiresAt.getTime() / 1_000),
    success_url: order.paidUrl,
    cancel_url: order.cancelledUrl,
  }
}

/** Throws on, and in our own words when Stripe no longer has the customer that was named. */
async function missingCustomer(error: unknown): Promise<never> {
  const { errors } = await loadStripe()
  const isMissing = error instanceof errors.StripeInvalidRequestError && error.code === 'resource_missing' && ['customer', 'id'].includes(error.param ?? '')
  throw isMissing ? new NoCustomerError(error.message) : error
}

/** Of a customer that Stripe no longer has there is nothing to be found. */
function nothingOfNobody(error: unknown): null {
  if (error instanceof NoCustomerError) return null
  throw error
}

/** The page of a checkout. It is shown to nobody when more or less would be paid on it than was agreed, since such a payment is refused. */
function checkoutOf({ id, url, amount_total: pence }: Stripe.Checkout.Session, { amountPence }: CheckoutOrder) {
  if (url === null) throw new Error(`Stripe gave checkout ${id} no address.`)
  if (pence !== amountPence) {
    throw new Error(
      `Stripe would take ${pence} pence for checkout ${id}, and ${amountPence} were agreed: the rate in STRIPE_TAX_RATE has to be an inclusive one.`,
    )
  }
  return { session: id, url }
}

/** A checkout that was paid or ran out cannot be closed, which Stripe calls a request that is wrong: it has ended, and its event says how. */
async function closeCheckout(stripe: Stripe, topUp: string, session: string): Promise<void> {
  const { errors } = await loadStripe()
  await stripe.checkout.sessions.expire(session, {}, { idempotencyKey: `close ${topUp}` }).catch((error: unknown) => {
    if (!(error instanceof errors.StripeInvalidRequestError)) throw error
  })
}

/** What a payment says of itself. One that asks its customer for something has failed: nobody is there to be asked. */
function chargedOf({ id, status, amount_received: amountPence, last_payment_error: error }: Stripe.PaymentIntent): Charged {
  if (status === 'succeeded') return { outcome: 'paid', intent: id, amountPence }
  if (status === 'processing') return { outcome: 'pending', intent: id }
  return { outcome: 'failed', intent: id, reason: error?.message ?? 'The bank asks for a confirmation by the owner of the card.' }
}

/** What an error of the API means for a charge: a refusal of the card or of the request is final, everything else leaves it open. */
async function refusalOf(error: unknown): Promise<Charged> {
  const { errors } = await loadStripe()
  if (error instanceof errors.StripeCardError) {
    return { outcome: 'failed', intent: error.payment_intent?.id ?? null, reason: error.message }
  }
  if (error instanceof errors.StripeInvalidRequestError) return { outcome: 'failed', intent: null, reason: 'The saved card can no longer be used.' }
  return { outcome: 'unknown' }
}

async function findCharge(stripe: Stripe, { customer, topUp, begunAt }: Order & { begunAt: Date }): Promise<Charged | null> {
  // A minute for clocks that differ.
  const created = { gte: Math.floor(begunAt.getTime() / 1_000) - 60 }
  let looked = 0
  for await (const payment of stripe.paymentIntents.list({ customer, created, limit: pageSize })) {
    if (payment.metadata['top_up'] === topUp) return chargedOf(payment)
    looked += 1
    if (looked >= mostLookedThrough) throw new Error(`Customer ${customer} has too many payments to look through.`)
  }
  return null
}

async function cardOf(stripe: Stripe, intent: string) {
  const { payment_method: method } = await stripe.paymentIntents.retrieve(intent, { expand: ['payment_method'] })
  if (method === null || typeof method === 'string' || method.card === undefined || method.customer === null) return null
  const { brand, last4, exp_month: month, exp_year: year } = method.card
  return { method: method.id, brand, last4, expires: `${String(month).padStart(2, '0')}/${year}` }
}

async function linksOf(stripe: Stripe, { intent, session }: { intent: string; session: string | null }) {
  const [payment, checkout] = await Promise.all([
    stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] }),
    session === null ? null : stripe.checkout.sessions.retrieve(session, { expand: ['invoice'] }),
  ])
  const charge = typeof payment.latest_charge === 'object' ? payment.latest_charge : null
  const invoice = typeof checkout?.invoice === 'object' ? checkout.invoice : null
  return { receiptUrl: charge?.receipt_url ?? null, invoiceUrl: invoice?.hosted_invoice_url ?? null, invoicePdfUrl: invoice?.invoice_pdf ?? null }
}

/** Payments by Stripe. What makes something at Stripe carries an idempotency key, so that asking twice does it once. */
export function stripePayments(settings: BillingSettings & { stripeKey: string }, mode: 'live' | 'test'): Payments {
  let opened: Promise<Stripe> | undefined
  const stripe = () => (opened ??= openStripe(settings.stripeKey, settings.stripeBase))
  return {
    mode,
    makeCustomer: async ({ publicId, email, instead }) => {
      // By hash, because a key has at most 255 characters, and an address may have nearly as many.
      const idempotencyKey = `customer ${createHash('sha256').update(`${publicId} ${email} ${instead}`).digest('hex')}`
      return (await (await stripe()).customers.create({ email, metadata: { account: publicId } }, { idempotencyKey })).id
    },
    updateCustomer: async (customer, email) => {
      await (await stripe()).customers.update(customer, { email }).catch(missingCustomer)
    },
    openCheckout: async (order) => {
      // A page that was asked for a customer who is gone has not been made, so another customer is another page.
      const idempotencyKey = `checkout ${order.topUp} ${order.customer}`
      const session = await (await stripe()).checkout.sessions.create(sessionOf(order, settings.vat), { idempotencyKey }).catch(missingCustomer)
      return checkoutOf(session, order)
    },
    closeCheckout: async ({ topUp, session }) => closeCheckout(await stripe(), topUp, session),
    chargeSavedCard: async (order) => {
      const params = { amount: order.amountPence, currency: 'gbp', customer: order.customer, payment_method: order.method, off_session: true, confirm: true }
      const more = { description: descriptionOf(order), metadata: metadataOf(order) }
      const charge = (await stripe()).paymentIntents.create({ ...params, ...more }, { idempotencyKey: `charge ${order.topUp}` })
      return charge.then(chargedOf, refusalOf)
    },
    findCharge: async (order) =>
      findCharge(await stripe(), order)
        .catch(missingCustomer)
        .catch(nothingOfNobody),
    cardOf: async (intent) => cardOf(await stripe(), intent),
    linksOf: async (payment) => linksOf(await stripe(), payment),
    customerPage: async (customer, returnUrl) =>
      (await (await stripe()).billingPortal.sessions.create({ customer, return_url: returnUrl }).catch(missingCustomer)).url,
    list: (since) => listSince(stripe, since),
  }
}

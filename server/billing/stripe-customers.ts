import { createHash } from 'node:crypto'
import type { Stripe } from 'stripe'
import type { BillingDetails } from '#server/api/contract/billing-details.ts'
import { NoCustomerError, type Payments } from './billing-deps.ts'
import { loadStripe } from './stripe-sdk.ts'

const pageSize = 100

const isMissing = async (error: unknown): Promise<boolean> =>
  error instanceof (await loadStripe()).errors.StripeInvalidRequestError && error.code === 'resource_missing'

/** Throws NoCustomerError if the error means that Stripe no longer has the customer; otherwise rethrows the error. */
export async function rethrowMissingCustomer(error: unknown): Promise<never> {
  const { errors } = await loadStripe()
  const isCustomer = error instanceof errors.StripeInvalidRequestError && ['customer', 'id'].includes(error.param ?? '')
  throw isCustomer && (await isMissing(error)) ? new NoCustomerError(error.message) : error
}

async function makeCustomer(stripe: Stripe, { publicId, email, instead }: Parameters<Payments['makeCustomer']>[0]): Promise<string> {
  // Hashed, because an idempotency key has at most 255 characters, and an email address can be nearly as long.
  const idempotencyKey = `customer ${createHash('sha256').update(`${publicId} ${email} ${instead}`).digest('hex')}`
  return (await stripe.customers.create({ email, metadata: { account: publicId } }, { idempotencyKey })).id
}

/** Deletes the tax ids that a customer entered at a checkout: Stripe would print them on every invoice, next to the VAT number from the portal. */
async function deleteTaxIds(stripe: Stripe, customer: string): Promise<void> {
  const { data: taxIds } = await stripe.customers.listTaxIds(customer, { limit: pageSize })
  for (const { id } of taxIds) {
    await stripe.customers.deleteTaxId(customer, id).catch(async (error: unknown) => {
      // A concurrent purchase deleted it.
      if (!(await isMissing(error))) throw error
    })
  }
}

/** Metadata that marks a customer's name and address as set in the portal. Without it, they were entered at a checkout. */
const fromPortal = { details: 'portal' } as const

async function setDetails(stripe: Stripe, customer: string, { name, line1, line2, city, postcode, country }: BillingDetails): Promise<void> {
  const address = { line1, line2, city, postal_code: postcode, country }
  await stripe.customers.update(customer, { name, address, metadata: fromPortal })
  await deleteTaxIds(stripe, customer)
}

async function removeDetails(stripe: Stripe, customer: string, includes: 'portal' | 'all'): Promise<void> {
  if (includes === 'portal') {
    const found = await stripe.customers.retrieve(customer)
    if (found.deleted) throw new NoCustomerError(`Customer ${customer} was deleted.`)
    if (found.metadata['details'] !== fromPortal.details) return
  }
  await stripe.customers.update(customer, { name: '', address: '', metadata: { details: '' } })
  await deleteTaxIds(stripe, customer)
}

async function removeCards(stripe: Stripe, customer: string): Promise<void> {
  const { data: methods } = await stripe.customers.listPaymentMethods(customer, { limit: pageSize })
  for (const { id } of methods) await stripe.paymentMethods.detach(id, {}, { idempotencyKey: `detach ${id}` })
}

type CustomerCalls = Pick<Payments, 'makeCustomer' | 'setEmail' | 'setDetails' | 'removeDetails' | 'removeCards' | 'getCustomerPage'>

/** Creates and updates customers at Stripe. */
export const stripeCustomers = (stripe: () => Promise<Stripe>): CustomerCalls => ({
  makeCustomer: async (account) => makeCustomer(await stripe(), account),
  setEmail: async (customer, email) => void (await (await stripe()).customers.update(customer, { email }).catch(rethrowMissingCustomer)),
  setDetails: async (customer, details) => setDetails(await stripe(), customer, details).catch(rethrowMissingCustomer),
  removeDetails: async (customer, includes) => removeDetails(await stripe(), customer, includes).catch(rethrowMissingCustomer),
  removeCards: async (customer) => removeCards(await stripe(), customer).catch(rethrowMissingCustomer),
  getCustomerPage: async (customer, returnUrl) =>
    (await (await stripe()).billingPortal.sessions.create({ customer, return_url: returnUrl }).catch(rethrowMissingCustomer)).url,
})

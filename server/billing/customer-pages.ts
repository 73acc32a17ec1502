import { holdWallet } from '#server/accounts/accounts.ts'
import { type AuditEntry, writeAudit } from '#server/accounts/audit.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { PaymentLinks } from './billing-deps.ts'
import { type BillingDeps, BillingError, getPaymentMode, requirePayments } from './billing-deps.ts'
import { deleteCard, findCustomer, postponeCard, readCardsToRead, saveCard } from './customers.store.ts'
import { withCustomer } from './customers.ts'
import { findTopUp, readBuyer } from './top-ups.store.ts'

/** Returns the URL of Stripe's customer portal; null if nothing has been bought yet or the mode has no portal. */
export async function getCustomerPage(deps: BillingDeps, accountId: number): Promise<string | null> {
  const payments = requirePayments(deps)
  const buyer = await readBuyer(deps.pool, accountId, payments.mode)
  if (buyer?.customer_id == null) return null
  const payer = { accountId, publicId: buyer.public_id, email: buyer.email, customer: buyer.customer_id }
  return withCustomer(deps, payments, payer, (customer) => payments.getCustomerPage(customer, `${deps.settings.publicUrl}/portal/billing`))
}

/**
 * Returns links to the receipt and invoice of a top-up. They are requested from Stripe each time, because they expire.
 * @throws RefusedError if the account has no such top-up; BillingError if it was not paid
 */
export async function getPaymentLinks(deps: BillingDeps, accountId: number, topUp: string): Promise<PaymentLinks> {
  const row = await findTopUp(deps.pool, accountId, topUp)
  if (!row) throw new RefusedError(refuse('not_found', {}, 'Payment not found.'))
  if (row.state !== 'paid' || row.payment_intent_id === null) throw new BillingError('This top-up was not paid.')
  const payments = requirePayments(deps)
  if (row.mode !== payments.mode) return { receiptUrl: null, invoiceUrl: null, invoicePdfUrl: null }
  return payments.getLinks({ intent: row.payment_intent_id, session: row.checkout_session_id })
}

/** Deletes the saved card. Stripe keeps it until the customer removes it there, but the service no longer charges it. */
export async function removeCard({ pool, settings }: BillingDeps, accountId: number, asker: Pick<AuditEntry, 'address'>): Promise<void> {
  const mode = getPaymentMode(settings)
  if (mode === null) return
  await inTransaction(pool, async (client) => {
    await holdWallet(client, accountId)
    const card = await findCustomer(client, accountId, mode)
    if (card?.payment_method_id == null) return
    await deleteCard(client, accountId, mode)
    const before = { brand: card.card_brand, last4: card.card_last4 }
    await writeAudit(client, { accountId, actor: 'account', action: 'card.remove', before, ...asker })
  })
}

const batchSize = 20
const failedToRead = 'Failed to read the card of a payment from Stripe; retrying.'
const givenUp =
  'The card of a payment could not be read from Stripe within a day, so it was not saved. Fix the error; the customer can then save the card with another top-up.'

/** Reads the cards of paid top-ups whose customers asked to save them. */
export async function readSavedCards(deps: BillingDeps, signal: AbortSignal): Promise<void> {
  const { pool, payments, log } = deps
  if (!payments) return
  for (const topUp of await readCardsToRead(pool, payments.mode, batchSize)) {
    if (signal.aborted) return
    try {
      await saveCard(pool, topUp, payments.mode, await payments.getCard(topUp.payment_intent_id))
    } catch (error) {
      const fields = { err: error, payment: topUp.payment_intent_id }
      if (await postponeCard(pool, topUp)) log.error(fields, givenUp)
      else log.warn(fields, failedToRead)
    }
  }
}

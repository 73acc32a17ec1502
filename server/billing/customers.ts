import { holdWallet } from '#server/accounts/accounts.ts'
import { type AuditEntry, writeAudit } from '#server/accounts/audit.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import type { Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type BillingDeps, BillingError, getPaymentMode, NoCustomerError, type PaymentLinks, type Payments, requirePayments } from './billing-deps.ts'
import {
  deleteCard,
  findCustomer,
  markEmailUpdated,
  postponeCard,
  postponeEmailUpdate,
  readCardsToRead,
  readStale,
  replaceCustomer,
  saveCard,
  saveCustomer,
} from './customers.store.ts'
import { postponeTopUp } from './retries.store.ts'
import { findTopUp, readBuyer, readLeftOpen, writeClosed, writeEnded } from './top-ups.store.ts'

/** Account that pays. `customer` is the id of its Stripe customer; null if it has none yet. */
export type Payer = { readonly accountId: number; readonly publicId: string; readonly email: string; readonly customer: string | null }

async function createCustomer({ pool }: BillingDeps, payments: Payments, { accountId, publicId, email }: Payer): Promise<string> {
  return saveCustomer(pool, accountId, payments.mode, await payments.makeCustomer({ publicId, email, instead: null }))
}

/** Runs `work` with the Stripe customer of an account, creating one if there is none. If it was deleted at Stripe, creates another and runs `work` again. */
export async function withCustomer<Result>(deps: BillingDeps, payments: Payments, payer: Payer, work: (customer: string) => Promise<Result>): Promise<Result> {
  const customer = payer.customer ?? (await createCustomer(deps, payments, payer))
  try {
    return await work(customer)
  } catch (error) {
    if (!(error instanceof NoCustomerError)) throw error
    deps.log.warn({ account: payer.publicId, customer }, "The account's Stripe customer no longer exists. Creating a new one.")
    const next = await payments.makeCustomer({ publicId: payer.publicId, email: payer.email, instead: customer })
    const current = await inTransaction(deps.pool, async (client) => {
      await holdWallet(client, payer.accountId)
      return replaceCustomer(client, payer.accountId, payments.mode, customer, next)
    })
    return work(current)
  }
}

const batchSize = 20

const failedToUpdate = 'Failed to update the email address of a Stripe customer; retrying.'
const givenUp =
  'The email address of a Stripe customer was still not updated after a day of retries. The update is retried when the address changes or with the next purchase. If Stripe rejects the address, ask the customer for another one.'

/** Updates the email addresses of Stripe customers whose accounts have changed theirs, so that invoices and receipts reach them. */
export async function updateCustomerEmails(deps: BillingDeps, signal: AbortSignal): Promise<void> {
  const { pool, payments, log } = deps
  if (!payments) return
  for (const stale of await readStale(pool, payments.mode, batchSize)) {
    if (signal.aborted) return
    const { account_id: accountId, account: publicId, email, customer } = stale
    try {
      await withCustomer(deps, payments, { accountId: Number(accountId), publicId, email, customer }, (current) => payments.updateCustomer(current, email))
      await markEmailUpdated(pool, stale)
    } catch (error) {
      const fields = { err: error, account: publicId }
      if (await postponeEmailUpdate(pool, stale)) log.error(fields, givenUp)
      else log.warn(fields, failedToUpdate)
    }
  }
}

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

const failedToRead = 'Failed to read the card of a payment from Stripe; retrying.'
const cardGivenUp =
  'The card of a payment could not be read from Stripe within a day, so it was not saved. Fix the error; the customer can then save the card with another top-up.'

/** Reads from Stripe, and saves, the cards of paid top-ups whose customers chose to save their card. */
export async function readSavedCards(deps: BillingDeps, signal: AbortSignal): Promise<void> {
  const { pool, payments, log } = deps
  if (!payments) return
  for (const topUp of await readCardsToRead(pool, payments.mode, batchSize)) {
    if (signal.aborted) return
    try {
      await saveCard(pool, topUp, payments.mode, await payments.getCard(topUp.payment_intent_id))
    } catch (error) {
      const fields = { err: error, payment: topUp.payment_intent_id }
      if (await postponeCard(pool, topUp)) log.error(fields, cardGivenUp)
      else log.warn(fields, failedToRead)
    }
  }
}

/** Ends automatic top-ups and deletes the saved card, within the transaction that closes the account. */
export function closeBilling(client: Transaction, accountId: number): Promise<void> {
  return writeClosed(client, accountId)
}

const failedToClose = 'Failed to close the payment page of a closed account; retrying.'
const expiredFirst =
  'The payment page of a closed account expired before it could be closed. If someone paid on it, administrators are notified: refund that payment at Stripe.'

/** Expires the Stripe checkouts that closed accounts left open. If this keeps failing, the checkouts expire at Stripe within a day. */
export async function closeCheckouts({ pool, payments, log }: BillingDeps, signal: AbortSignal): Promise<void> {
  if (!payments) return
  for (const { id, topUp, session, attempts, isOver } of await readLeftOpen(pool, payments.mode, batchSize)) {
    if (signal.aborted) return
    try {
      if (session !== null && !isOver) await payments.closeCheckout({ topUp, session })
      await writeEnded(pool, id)
      if (isOver && attempts > 0) log.error({ topUp }, expiredFirst)
    } catch (error) {
      log.warn({ err: error, topUp }, failedToClose)
      await postponeTopUp(pool, topUp)
    }
  }
}

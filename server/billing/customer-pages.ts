import { type AuditEntry, writeAudit } from '#server/accounts/audit.ts'
import { holdWallet } from '#server/accounts/wallets.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { BillingError, type BillingRoom, modeOf } from './billing-room.ts'
import { findCustomer, forgetCard, keepCard, putOffCard, readCardsToRead } from './customers.store.ts'
import { withCustomer } from './customers.ts'
import type { PaymentLinks } from './payments.ts'
import { paymentsOf } from './payments-here.ts'
import { findTopUp, readBuyer } from './top-ups.store.ts'

/** Where the customer looks after cards, invoices and billing details at Stripe; null: nothing has been bought yet, or there is no such place. */
export async function customerPage(room: BillingRoom, accountId: number): Promise<string | null> {
  const payments = paymentsOf(room)
  const buyer = await readBuyer(room.pool, accountId, payments.mode)
  if (buyer?.customer_id == null) return null
  const payer = { accountId, publicId: buyer.public_id, email: buyer.email, customer: buyer.customer_id }
  return withCustomer(room, payments, payer, (customer) => payments.customerPage(customer, `${room.settings.publicUrl}/portal/billing`))
}

/**
 * Receipt and invoice of a top-up, asked for anew each time because their addresses expire.
 * @throws RefusedError when the account has no such top-up; BillingError when it was not paid
 */
export async function paymentLinks(room: BillingRoom, accountId: number, topUp: string): Promise<PaymentLinks> {
  const row = await findTopUp(room.pool, accountId, topUp)
  if (!row) throw new RefusedError(refuse('not_found', {}, 'There is no such payment.'))
  if (row.state !== 'paid' || row.payment_intent_id === null) throw new BillingError('This top-up was not paid.')
  const payments = paymentsOf(room)
  if (row.mode !== payments.mode) return { receiptUrl: null, invoiceUrl: null, invoicePdfUrl: null }
  return payments.linksOf({ intent: row.payment_intent_id, session: row.checkout_session_id })
}

/** Forgets the saved card. It stays known to Stripe until the customer removes it there, and is not charged again by us. */
export async function removeCard({ pool, settings }: BillingRoom, accountId: number, asker: Pick<AuditEntry, 'address'>): Promise<void> {
  const mode = modeOf(settings)
  if (mode === null) return
  await inTransaction(pool, async (client) => {
    await holdWallet(client, accountId)
    const card = await findCustomer(client, accountId, mode)
    if (card?.payment_method_id == null) return
    await forgetCard(client, accountId, mode)
    const before = { brand: card.card_brand, last4: card.card_last4 }
    await writeAudit(client, { accountId, actor: 'account', action: 'card.remove', before, ...asker })
  })
}

const atOnce = 20
const unread = 'The card of a payment could not be read; it is tried again.'
const givenUp =
  'The card of a payment could not be read from Stripe for a day and is not saved. Its owner can save it with another top-up, once what is wrong here is mended.'

/** Reads the cards that customers asked to save with a payment, once the payment has come. */
export async function readSavedCards(room: BillingRoom, signal: AbortSignal): Promise<void> {
  const { pool, payments, log } = room
  if (!payments) return
  for (const topUp of await readCardsToRead(pool, payments.mode, atOnce)) {
    if (signal.aborted) return
    try {
      await keepCard(pool, topUp, payments.mode, await payments.cardOf(topUp.payment_intent_id))
    } catch (error) {
      const facts = { err: error, payment: topUp.payment_intent_id }
      if (await putOffCard(pool, topUp)) log.error(facts, givenUp)
      else log.warn(facts, unread)
    }
  }
}

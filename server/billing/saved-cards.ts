import { holdWallet } from '#server/accounts/accounts.ts'
import { type MemberOrigin, writeAudit } from '#server/accounts/audit.ts'
import { requireMember } from '#server/accounts/permissions.ts'
import { dayMs } from '#server/api/contract/dates.ts'
import { clock } from '#server/clock.ts'
import type { PaymentMode } from '#server/db/generated/client.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type BillingDeps, getPaymentMode, type SavedCard } from './billing-deps.ts'
import { markCustomersStale, noCard } from './customers.ts'
import { clearedRetries, firstDue, isDue, isLastAttempt, postponed } from './retries.ts'

/** Deletes the saved card, which also turns automatic top-ups off. A job then deletes it at Stripe. */
export async function removeCard({ pool: db, settings }: BillingDeps, accountId: number, by: MemberOrigin): Promise<void> {
  const mode = getPaymentMode(settings)
  if (mode === null) return
  await inTransaction(db, async (tx) => {
    await holdWallet(tx, accountId)
    await requireMember(tx, accountId, by.memberId ?? null, 'billing.removeCard')
    const where = { accountId, mode, paymentMethodId: { not: null } } as const
    const card = await tx.paymentCustomer.findFirst({ where, select: { cardBrand: true, cardLast4: true } })
    if (!card) return
    await tx.autoTopUp.updateMany({ where: { accountId, isOn: true }, data: { isOn: false, offReason: 'The saved card was removed.' } })
    await tx.paymentCustomer.update({
      where: { accountId_mode: { accountId, mode } },
      data: { ...noCard, isStale: true, ...clearedRetries },
      select: { accountId: true },
    })
    const before = { brand: card.cardBrand, last4: card.cardLast4 }
    await writeAudit(tx, { ...by, accountId, actor: 'account', action: 'card.remove', before })
  })
}

const batchSize = 20

/** Returns paid top-ups, of accounts that are still open, for which a card is due to be read from Stripe because the customer asked to save it. */
function findCardsToRead(db: Database, mode: PaymentMode) {
  return db.topUp.findMany({
    where: {
      savesCard: true,
      state: 'paid',
      cardReadAt: null,
      mode,
      paidAt: { gt: new Date(clock.now() - 7 * dayMs) },
      account: { closedAt: null },
      ...isDue(),
    },
    orderBy: [firstDue, { id: 'asc' }],
    take: batchSize,
    select: { id: true, accountId: true, paymentIntentId: true, attempts: true },
  })
}

type CardToRead = Awaited<ReturnType<typeof findCardsToRead>>[number]

/**
 * Saves the card of a payment, if it can be reused, and records that the card has been read from Stripe. The card of an older payment never replaces the card
 * of a newer one.
 */
async function saveCard(tx: Transaction, { id, accountId }: CardToRead, mode: PaymentMode, card: SavedCard | null): Promise<void> {
  await holdWallet(tx, accountId)
  // If the account has been transferred in the meantime, the card must not be saved.
  const { count } = await tx.topUp.updateMany({ where: { id, savesCard: true, cardReadAt: null }, data: { cardReadAt: new Date(clock.now()) } })
  if (count === 0 || card === null || (await tx.topUp.count({ where: { accountId, id: { gt: id }, cardReadAt: { not: null }, mode }, take: 1 })) > 0) return
  const data = { paymentMethodId: card.method, cardBrand: card.brand, cardLast4: card.last4, cardExpires: card.expires }
  await tx.paymentCustomer.updateMany({ where: { accountId, mode, account: { closedAt: null } }, data })
}

/** Postpones reading a card. Returns true after the last attempt: the card then counts as read, but is not saved. */
async function postponeCard(db: Database, { id, attempts }: CardToRead): Promise<boolean> {
  const isLast = isLastAttempt(attempts)
  const data = { ...postponed(attempts), cardReadAt: isLast ? new Date(clock.now()) : null }
  return (await db.topUp.updateMany({ where: { id, attempts, cardReadAt: null }, data })).count > 0 && isLast
}

const failedToRead = 'Failed to read the card of a payment from Stripe; retrying.'
const cardGivenUp =
  'The card of a payment could not be read from Stripe within a day, so it was not saved. Fix the error; the customer can then save the card with another top-up.'

/** Reads the cards of paid top-ups from Stripe and saves them, if the customers chose to save their card. */
export async function readSavedCards({ pool: db, payments, log }: BillingDeps, signal: AbortSignal): Promise<void> {
  if (!payments) return
  for (const topUp of await findCardsToRead(db, payments.mode)) {
    if (signal.aborted) return
    const payment = topUp.paymentIntentId ?? ''
    try {
      const card = await payments.getCard(payment)
      await inTransaction(db, (tx) => saveCard(tx, topUp, payments.mode, card))
    } catch (error) {
      const fields = { err: error, payment }
      if (await postponeCard(db, topUp)) log.error(fields, cardGivenUp)
      else log.warn(fields, failedToRead)
    }
  }
}

/**
 * Ends automatic top-ups and deletes the saved card, within the transaction that closes the account. A job then deletes the card and the billing details at
 * Stripe. Locks the wallet, so that a concurrent payment is credited
 * either before the account closes or after it, in which case the administrators are notified.
 */
export async function closeBilling(tx: Transaction, accountId: number): Promise<void> {
  await holdWallet(tx, accountId)
  await stopCharges(tx, accountId, 'The account was closed.')
  await markCustomersStale(tx, accountId)
}

/**
 * Turns automatic top-ups off and deletes the saved card, including cards of earlier payments that have not been read from Stripe yet. The wallet must be locked,
 * so that no top-up can start meanwhile.
 */
export async function stopCharges(tx: Transaction, accountId: number, offReason: string): Promise<void> {
  await tx.topUp.updateMany({ where: { accountId, savesCard: true, cardReadAt: null }, data: { savesCard: false } })
  await tx.autoTopUp.updateMany({ where: { accountId, isOn: true }, data: { isOn: false, offReason } })
  await tx.paymentCustomer.updateMany({ where: { accountId }, data: noCard })
}

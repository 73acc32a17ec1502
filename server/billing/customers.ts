import { holdWallet } from '#server/accounts/accounts.ts'
import { isSameDetails } from '#server/api/contract/billing-details.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import type { PaymentMode, Prisma } from '#server/db/generated/client.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type BillingDeps, BillingError, NoCustomerError, type PaymentLinks, type Payments, requirePayments } from './billing-deps.ts'
import { closeReplacedCheckouts } from './close-checkouts.ts'
import { clearedRetries, firstDue, isDue, isLastAttempt, maxAttempts, postponed } from './retries.ts'

/** Account that pays. `customer` is the id of its Stripe customer; null if it has none yet. */
export type Payer = { readonly accountId: number; readonly publicId: string; readonly email: string; readonly customer: string | null }

const buyer = (mode: PaymentMode) =>
  ({
    publicId: true,
    email: true,
    owner: { select: { email: true } },
    state: true,
    emailVerifiedAt: true,
    closedAt: true,
    paymentCustomers: { where: { mode }, take: 1, select: { customerId: true, isStale: true, attempts: true } },
  }) as const satisfies Prisma.AccountSelect

export type Buyer = Prisma.AccountGetPayload<{ select: ReturnType<typeof buyer> }>

/** Returns the address that gets the receipts and invoices of an account: its owner's. */
export const getPayerEmail = ({ email, owner }: { email: string; owner: { email: string } | null }): string => owner?.email ?? email

/** Returns an account with its Stripe customer. */
export const findBuyer = (db: Db, accountId: number, mode: PaymentMode): Promise<Buyer | null> =>
  db.account.findUnique({ where: { id: accountId }, select: buyer(mode) })

/** Creates the Stripe customer of an account. If a concurrent request has already created one, returns that one instead. */
async function createCustomer({ pool: db }: BillingDeps, payments: Payments, { accountId, publicId, email }: Payer): Promise<string> {
  const { mode } = payments
  const customerId = await payments.makeCustomer({ publicId, email, instead: null })
  await db.paymentCustomer.createMany({ data: [{ accountId, mode, customerId }], skipDuplicates: true })
  await markIfOutdated(db, customerId, email)
  return getCustomerId(db, accountId, mode)
}

async function getCustomerId(db: Db, accountId: number, mode: PaymentMode): Promise<string> {
  const where = { accountId_mode: { accountId, mode } }
  return (await db.paymentCustomer.findUniqueOrThrow({ where, select: { customerId: true } })).customerId
}

/** Marks the email address of a new customer as outdated if it changed, or the account was transferred, while Stripe created the customer. */
async function markIfOutdated(db: Db, customerId: string, email: string): Promise<void> {
  const hasEmail = { OR: [{ ownerId: null, email }, { owner: { email } }] }
  await db.paymentCustomer.updateMany({ where: { customerId, isStale: false, account: { NOT: hasEmail } }, data: { isStale: true } })
}

export const noCard = { paymentMethodId: null, cardBrand: null, cardLast4: null, cardExpires: null } as const

/** Replaces a customer deleted at Stripe, and removes its card. Of two concurrent replacements, the first wins. Returns the resulting customer. */
async function replaceCustomer(tx: Transaction, accountId: number, mode: PaymentMode, gone: string, customerId: string): Promise<string> {
  await holdWallet(tx, accountId)
  const data = { customerId, isStale: false, ...clearedRetries, ...noCard }
  const { count } = await tx.paymentCustomer.updateMany({ where: { accountId, mode, customerId: gone }, data })
  const offReason = 'The saved card can no longer be used.'
  if (count > 0) await tx.autoTopUp.updateMany({ where: { accountId, isOn: true }, data: { isOn: false, offReason } })
  return getCustomerId(tx, accountId, mode)
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
    const current = await inTransaction(deps.pool, (tx) => replaceCustomer(tx, payer.accountId, payments.mode, customer, next))
    await markIfOutdated(deps.pool, next, payer.email)
    return work(current)
  }
}

const batchSize = 20

const failedToUpdate = 'Failed to update a Stripe customer; retrying.'
const givenUp =
  'The email address and billing details of a Stripe customer were still not updated after a day of retries. The update is retried when either changes or with the next purchase. If Stripe rejects the email address, ask the customer for another one.'

const stale = {
  accountId: true,
  mode: true,
  customerId: true,
  attempts: true,
  paymentMethodId: true,
  account: {
    select: { publicId: true, closedAt: true, email: true, ownerId: true, owner: { select: { email: true } }, billingDetails: { omit: { accountId: true } } },
  },
} as const

/**
 * Marks the customer at Stripe as outdated, because the account has a new owner or other billing details. The database does so when an owner's email address
 * changes.
 */
export async function markCustomersStale(tx: Transaction, accountId: number): Promise<void> {
  await tx.paymentCustomer.updateMany({ where: { accountId }, data: { isStale: true, ...clearedRetries } })
}

type StaleCustomer = Prisma.PaymentCustomerGetPayload<{ select: typeof stale }>

/** Returns customers that are outdated at Stripe and due for an update, including those of closed accounts. */
function findStale(db: Database, mode: PaymentMode): Promise<StaleCustomer[]> {
  const where = { isStale: true, mode, attempts: { lt: maxAttempts }, ...isDue() }
  return db.paymentCustomer.findMany({ where, orderBy: [firstDue, { accountId: 'asc' }], take: batchSize, select: stale })
}

/** Records that Stripe has the current email address and details, unless they have changed again. They can't change while the account and its owner are locked. */
async function markUpdated(tx: Transaction, { accountId, customerId, account }: StaleCustomer): Promise<void> {
  const { email, ownerId, owner, billingDetails } = account
  await lockRows(tx, 'account', [accountId, ownerId ?? accountId])
  if (!isSameDetails(billingDetails, await tx.billingDetails.findUnique({ where: { accountId }, omit: { accountId: true } }))) return
  const where = { accountId, customerId, account: { ownerId, ...(owner === null ? { email } : { owner }) } }
  await tx.paymentCustomer.updateMany({ where, data: { isStale: false, ...clearedRetries } })
}

/** Postpones an email update. Returns true after the last attempt; the customer stays marked as outdated. */
async function postponeEmailUpdate(db: Database, { accountId, customerId, attempts }: StaleCustomer): Promise<boolean> {
  const { count } = await db.paymentCustomer.updateMany({ where: { accountId, customerId, isStale: true, attempts }, data: postponed(attempts) })
  return count > 0 && isLastAttempt(attempts)
}

/** If an account has no saved card, deletes any cards left at Stripe, unless the card of a recent payment is about to be saved. */
async function removeLeftCards(db: Database, payments: Payments, { accountId, mode, paymentMethodId }: StaleCustomer, customer: string): Promise<void> {
  if (paymentMethodId !== null) return
  const isAboutToBeSaved: Prisma.TopUpWhereInput = { accountId, mode, savesCard: true, cardReadAt: null, state: { in: ['open', 'pending', 'paid'] } }
  if ((await db.topUp.count({ where: isAboutToBeSaved, take: 1 })) === 0) await payments.removeCards(customer)
}

/** Deletes a closed account's data at Stripe. Stripe keeps the email address with the payments. Does nothing if the customer was deleted there. */
async function removeClosed(db: Database, payments: Payments, customer: StaleCustomer): Promise<void> {
  try {
    await payments.removeDetails(customer.customerId, 'all')
    await removeLeftCards(db, payments, customer, customer.customerId)
  } catch (error) {
    if (!(error instanceof NoCustomerError)) throw error
  }
}

/** Updates the details first, so that an email address that Stripe rejects doesn't keep them outdated. */
async function updateCustomer(deps: BillingDeps, payments: Payments, stale: StaleCustomer): Promise<void> {
  const { pool: db } = deps
  const { accountId, customerId, account } = stale
  const { billingDetails: details } = account
  await closeReplacedCheckouts(db, payments, accountId)
  if (account.closedAt !== null) return removeClosed(db, payments, stale)
  const email = getPayerEmail(account)
  await withCustomer(deps, payments, { accountId, publicId: account.publicId, email, customer: customerId }, async (current) => {
    await (details === null ? payments.removeDetails(current, 'portal') : payments.setDetails(current, details))
    await payments.setEmail(current, email)
    await removeLeftCards(db, payments, stale, current)
  })
}

/**
 * Updates Stripe customers after their accounts have changed: updates the email address, so that invoices and receipts reach the owner, and the billing
 * details, and deletes cards that the account no longer has. Deletes the details and cards of closed accounts.
 */
export async function updateCustomerEmails(deps: BillingDeps, signal: AbortSignal): Promise<void> {
  const { pool: db, payments, log } = deps
  if (!payments) return
  for (const customer of await findStale(db, payments.mode)) {
    if (signal.aborted) return
    try {
      await updateCustomer(deps, payments, customer)
      await inTransaction(db, (tx) => markUpdated(tx, customer))
    } catch (error) {
      const fields = { err: error, account: customer.account.publicId }
      if (await postponeEmailUpdate(db, customer)) log.error(fields, givenUp)
      else log.warn(fields, failedToUpdate)
    }
  }
}

/** Returns the URL of Stripe's customer portal; null if nothing has been bought yet or the mode has no portal. */
export async function getCustomerPage(deps: BillingDeps, accountId: number): Promise<string | null> {
  const payments = requirePayments(deps)
  const account = await findBuyer(deps.pool, accountId, payments.mode)
  const customer = account?.paymentCustomers[0]?.customerId
  if (!account || !customer) return null
  const payer = { accountId, publicId: account.publicId, email: getPayerEmail(account), customer }
  return withCustomer(deps, payments, payer, (current) => payments.getCustomerPage(current, `${deps.settings.publicUrl}/portal/billing`))
}

/**
 * Returns links to the receipt and invoice of a top-up. They are requested from Stripe each time, because they expire.
 * @throws RefusedError if the account has no such top-up; BillingError if it was not paid
 */
export async function getPaymentLinks(deps: BillingDeps, accountId: number, topUp: string): Promise<PaymentLinks> {
  const select = { mode: true, state: true, paymentIntentId: true, checkoutSessionId: true } as const
  const row = await deps.pool.topUp.findFirst({ where: { accountId, publicId: topUp }, select })
  if (!row) throw new RefusedError(refuse('not_found', {}, 'Payment not found.'))
  if (row.state !== 'paid' || row.paymentIntentId === null) throw new BillingError('This top-up was not paid.')
  const payments = requirePayments(deps)
  if (row.mode !== payments.mode) return { receiptUrl: null, invoiceUrl: null, invoicePdfUrl: null }
  return payments.getLinks({ intent: row.paymentIntentId, session: row.checkoutSessionId })
}

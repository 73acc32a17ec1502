import { type BillingDetails, isSameDetails } from '#server/api/contract/billing-details.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { creditsFor, faultOfAmount, vatWithin } from '#server/api/contract/price-kinds.ts'
import { clock } from '#server/clock.ts'
import { type PaymentMode, Prisma, type TopUp as TopUpRow } from '#server/db/generated/client.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import { type BillingDeps, BillingError, type CheckoutOrder, requirePayments } from './billing-deps.ts'
import { findBillingDetails, maxOpen, readBilledTo } from './billing-details.ts'
import { abandonedMs, closeReplacedCheckouts, isStillPayable } from './close-checkouts.ts'
import { type Buyer, findBuyer, getPayerEmail, markCustomersStale, withCustomer } from './customers.ts'
import { clearedRetries, maxAttempts } from './retries.ts'

export type TopUp = ReturnType<typeof toTopUp>

/** Returns a top-up as shown to its owner. `grossPence` is the amount paid, including VAT. */
export function toTopUp(row: TopUpRow) {
  const { amountPence: grossPence, vatPence, vatBasisPoints } = row
  return {
    id: row.publicId,
    state: row.state,
    isAutomatic: row.origin === 'auto',
    isSimulated: row.mode === 'simulated',
    credits: row.credits,
    netPence: grossPence - vatPence,
    vatPence,
    grossPence,
    /** VAT percentage, such as 20 or 17.5; null if no VAT is shown. */
    vatPercent: vatBasisPoints === null ? null : vatBasisPoints / 100,
    billedTo: readBilledTo(row),
    createdAt: row.createdAt.toISOString(),
    paidAt: row.paidAt?.toISOString() ?? null,
    /** Reason for the failure, shown to the owner. */
    failure: row.failure,
    refundedCredits: row.refundedCredits,
    disputedCredits: row.disputedCredits,
  }
}

type Purchase = {
  /** Idempotency key, created once by the page, so that a double click makes only one purchase. */
  readonly key: string
  readonly amountPence: number
  /** True to save the card for automatic top-ups. */
  readonly savesCard: boolean
}

const keyForm = /^[\w-]{8,100}$/
/** Time until a checkout expires. Stripe allows 30 minutes to 24 hours. */
const checkoutMs = 23 * 3_600_000

function checkBuyer(buyer: Buyer | null): Buyer {
  if (!buyer || buyer.closedAt !== null) throw new BillingError('This account is closed.')
  if (buyer.emailVerifiedAt === null) throw new RefusedError(refuse('email_not_verified', {}, 'Confirm your email before topping up.'))
  if (buyer.state === 'blocked') throw new RefusedError(refuse('account_blocked', { reason: null }, 'This account is blocked and cannot top up.'))
  return buyer
}

type StartedTopUp = { readonly row: TopUpRow; readonly buyer: Buyer }

/**
 * Expires checkouts whose time has run out or whose page was never created. If an expired checkout was paid after all, Stripe's event still marks the top-up as
 * paid.
 */
async function closeOverdue(tx: Transaction, accountId: number): Promise<void> {
  const now = clock.now()
  const overdue = [{ expiresAt: { lt: new Date(now) } }, { checkoutUrl: null, createdAt: { lt: new Date(now - abandonedMs) } }]
  await tx.topUp.updateMany({ where: { accountId, state: 'open', origin: 'checkout', OR: overdue }, data: { state: 'expired' } })
}

const detailsChanged = 'Your billing details have changed since you started this purchase. Reload the page to start again.'

/** Checks that a purchase with a known key is the same one, and that it can still be paid or is paid already. */
function checkKnown(known: TopUpRow, purchase: Purchase, details: BillingDetails | null): TopUpRow {
  if (known.amountPence !== purchase.amountPence || known.savesCard !== purchase.savesCard)
    throw new BillingError('You already started this purchase with a different amount or card choice. Reload the page to start again.')
  if (known.state === 'expired' || known.state === 'failed') throw new BillingError('This payment was not completed. Reload the page to start again.')
  if (known.state === 'open' && !isSameDetails(readBilledTo(known), details)) throw new BillingError(detailsChanged)
  return known
}

/**
 * Finds a purchase that was already started: one with the same key, or one with the same amount, choice to save the card and billing details whose checkout is
 * still open.
 */
async function findStarted(
  tx: Transaction,
  accountId: number,
  mode: PaymentMode,
  purchase: Purchase,
  details: BillingDetails | null,
): Promise<TopUpRow | undefined> {
  const known = await tx.topUp.findUnique({ where: { accountId_purchaseKey: { accountId, purchaseKey: purchase.key } } })
  if (known) return checkKnown(known, purchase, details)
  // Replaced checkouts count until they are closed at Stripe, even if Stripe is still creating their pages.
  const isBeingCreated: Prisma.TopUpWhereInput = { state: 'expired', checkoutSessionId: null, createdAt: { gt: new Date(clock.now() - abandonedMs) } }
  const isOpen: Prisma.TopUpWhereInput = { OR: [{ state: 'open' }, isStillPayable(), isBeingCreated] }
  const open = await tx.topUp.findMany({ where: { accountId, origin: 'checkout', AND: isOpen }, orderBy: { state: 'asc' }, take: maxOpen })
  const isSame = (one: TopUpRow) =>
    one.state === 'open' && one.mode === mode && one.amountPence === purchase.amountPence && one.savesCard === purchase.savesCard
  const same = open.find(isSame)
  if (same && isSameDetails(readBilledTo(same), details)) return same
  if (open.length >= maxOpen) throw new BillingError('You have too many unfinished payments. Complete one, or try again tomorrow.')
  if (!same) return undefined
  // Its invoice would show the previous details. It is closed at Stripe before the next checkout opens; if it is paid before, it counts like any other.
  await tx.topUp.updateMany({ where: { id: same.id, state: 'open' }, data: { state: 'expired' } })
  return undefined
}

/** Stores a new top-up, before anything is sent to Stripe. If the purchase was already started, returns its top-up instead. */
async function recordTopUp({ pool: db, settings }: BillingDeps, accountId: number, mode: PaymentMode, purchase: Purchase): Promise<StartedTopUp> {
  return inTransaction(db, async (tx) => {
    // Serialises the account's purchases.
    await lockRows(tx, 'account', [accountId])
    const buyer = checkBuyer(await findBuyer(tx, accountId, mode))
    await closeOverdue(tx, accountId)
    const details = await findBillingDetails(tx, accountId)
    const started = await findStarted(tx, accountId, mode, purchase, details)
    if (started) return { row: started, buyer }
    const { key: purchaseKey, amountPence, savesCard } = purchase
    const vatBasisPoints = settings.vat?.basisPoints ?? null
    const price = { amountPence, credits: creditsFor(amountPence), vatBasisPoints, vatPence: vatWithin(amountPence, vatBasisPoints) }
    // Stripe requires whole seconds.
    const expiresAt = new Date(Math.floor((clock.now() + checkoutMs) / 1_000) * 1_000)
    const data = {
      publicId: newPublicId('top'),
      accountId,
      purchaseKey,
      origin: 'checkout',
      mode,
      savesCard,
      expiresAt,
      billedTo: details ?? Prisma.DbNull,
      ...price,
    } as const
    return { row: await tx.topUp.create({ data }), buyer }
  })
}

/** Returns the URL that the browser returns to after checkout. The page there waits for the payment. */
export const getReturnUrl = (publicUrl: string, topUp: string): string => `${publicUrl}/portal/billing/return?topUp=${topUp}`

function toOrder({ row, buyer }: StartedTopUp, customer: string, publicUrl: string): CheckoutOrder {
  const paidUrl = getReturnUrl(publicUrl, row.publicId)
  const { amountPence, credits, savesCard } = row
  return {
    topUp: row.publicId,
    account: buyer.publicId,
    customer,
    amountPence,
    credits,
    savesCard,
    billedTo: readBilledTo(row),
    expiresAt: row.expiresAt ?? row.createdAt,
    paidUrl,
    cancelledUrl: `${paidUrl}&cancelled=1`,
  }
}

/** If the last attempt to update the email address at Stripe has failed, retries it now, because the customer is about to get an invoice. */
async function retryEmailUpdate(db: Database, accountId: number, mode: PaymentMode, { paymentCustomers: [customer] }: Buyer): Promise<void> {
  if (!customer?.isStale || customer.attempts < maxAttempts) return
  await db.paymentCustomer.update({ where: { accountId_mode: { accountId, mode } }, data: clearedRetries, select: { accountId: true } })
}

/**
 * Stores a checkout that Stripe created. If the account was closed or its billing details changed in the meantime, expires the top-up and returns false: the
 * customer at Stripe may have got the previous details after the new ones.
 */
async function storeCheckout(db: Database, { id, accountId }: TopUpRow, session: string, url: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    // Details change only while the account is locked.
    await lockRows(tx, 'account', [accountId])
    // An event may have stored the session already. Concurrent requests get the same session, because Stripe creates it only once.
    const where = { id, OR: [{ checkoutSessionId: null }, { checkoutSessionId: session }] }
    await tx.topUp.updateMany({ where, data: { checkoutSessionId: session, checkoutUrl: url } })
    const row = await tx.topUp.findUniqueOrThrow({ where: { id }, include: { account: { select: { closedAt: true } } } })
    const isCurrent = row.account.closedAt === null && isSameDetails(readBilledTo(row), await findBillingDetails(tx, accountId))
    if (row.state !== 'expired' && (row.state !== 'open' || isCurrent)) return true
    await tx.topUp.updateMany({ where: { id, state: 'open' }, data: { state: 'expired' } })
    await markCustomersStale(tx, accountId)
    return false
  })
}

/**
 * Starts a top-up and returns its payment URL. A repeat with the same key, or for the same amount while a checkout is open, returns the same checkout, which
 * can be paid only once; if the purchase is already paid, it returns the confirmation page. @throws FieldsError if the amount is invalid or payments are
 * unavailable; RefusedError if the email is not confirmed or the account is blocked
 */
export async function startTopUp(deps: BillingDeps, accountId: number, purchase: Purchase): Promise<{ topUp: TopUp; url: string }> {
  refuseFaults({ amountPence: faultOfAmount(purchase.amountPence) })
  if (!keyForm.test(purchase.key)) throw new BillingError('The purchase key must have 8 to 100 letters, digits, dashes or underscores.')
  const payments = requirePayments(deps)
  const started = await recordTopUp(deps, accountId, payments.mode, purchase)
  const { row, buyer } = started
  const topUp = toTopUp(row)
  if (row.state !== 'open') return { topUp, url: getReturnUrl(deps.settings.publicUrl, row.publicId) }
  if (row.checkoutUrl !== null) return { topUp, url: row.checkoutUrl }
  await closeReplacedCheckouts(deps.pool, payments, accountId)
  await retryEmailUpdate(deps.pool, accountId, payments.mode, buyer)
  const payer = { accountId, publicId: buyer.publicId, email: getPayerEmail(buyer), customer: buyer.paymentCustomers[0]?.customerId ?? null }
  const { session, url } = await withCustomer(deps, payments, payer, async (customer) => {
    const order = toOrder(started, customer, deps.settings.publicUrl)
    // The invoice takes the name and address from the customer. A job updates the email address, so that one that Stripe rejects doesn't block the purchase.
    await (order.billedTo === null ? payments.removeDetails(customer, 'portal') : payments.setDetails(customer, order.billedTo))
    return payments.openCheckout(order)
  })
  if (await storeCheckout(deps.pool, row, session, url)) return { topUp, url }
  await closeReplacedCheckouts(deps.pool, payments, accountId)
  throw new BillingError(detailsChanged)
}

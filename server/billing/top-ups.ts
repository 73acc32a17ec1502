import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { creditsFor, faultOfAmount, vatWithin } from '#server/api/contract/prices.ts'
import type { Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import { type BillingDeps, BillingError, type CheckoutOrder, type PaymentMode, requirePayments } from './billing-deps.ts'
import { retryEmailUpdate } from './customers.store.ts'
import { withCustomer } from './customers.ts'
import { type Buyer, closeOverdue, findOpen, findPurchase, insertTopUp, lockBuyer, saveCheckout, type TopUpRow, type TopUpState } from './top-ups.store.ts'

/** Top-up as shown to its owner. `grossPence` is the amount paid, including VAT. */
export type TopUp = {
  readonly id: string
  readonly state: TopUpState
  readonly isAutomatic: boolean
  readonly isSimulated: boolean
  readonly credits: number
  readonly netPence: number
  readonly vatPence: number
  readonly grossPence: number
  /** VAT percentage, such as 20 or 17.5; null if no VAT is shown. */
  readonly vatPercent: number | null
  readonly createdAt: string
  readonly paidAt: string | null
  /** Reason for the failure, shown to the owner. */
  readonly failure: string | null
  readonly refundedCredits: number
  readonly disputedCredits: number
}

export function topUpFromDb(row: TopUpRow): TopUp {
  const grossPence = Number(row.amount_pence)
  const vatPence = Number(row.vat_pence)
  return {
    id: row.public_id,
    state: row.state,
    isAutomatic: row.origin === 'auto',
    isSimulated: row.mode === 'simulated',
    credits: Number(row.credits),
    netPence: grossPence - vatPence,
    vatPence,
    grossPence,
    vatPercent: row.vat_basis_points === null ? null : row.vat_basis_points / 100,
    createdAt: row.created_at.toISOString(),
    paidAt: row.paid_at?.toISOString() ?? null,
    failure: row.failure,
    refundedCredits: Number(row.refunded_credits),
    disputedCredits: Number(row.disputed_credits),
  }
}

type Purchase = {
  /** Idempotency key, created once by the page, so that a double click is one purchase. */
  readonly key: string
  readonly amountPence: number
  /** True to save the card for automatic top-ups. */
  readonly savesCard: boolean
}

const keyForm = /^[\w-]{8,100}$/
/** Time until a checkout expires. Stripe allows 30 minutes to 24 hours. */
const checkoutSeconds = 23 * 3_600
const maxOpen = 20

function checkBuyer(buyer: Buyer | undefined): Buyer {
  if (!buyer || buyer.is_closed) throw new BillingError('This account is closed.')
  if (!buyer.is_verified) throw new RefusedError(refuse('email_not_verified', {}, 'Confirm your email before topping up.'))
  if (buyer.state === 'blocked') throw new RefusedError(refuse('account_blocked', { reason: null }, 'This account is blocked and cannot top up.'))
  return buyer
}

type StartedTopUp = { readonly row: TopUpRow; readonly buyer: Buyer }

/** Finds a purchase that was already started: with the same key, or with the same amount and a checkout that is still open. */
async function findStarted(client: Transaction, accountId: number, mode: PaymentMode, purchase: Purchase): Promise<TopUpRow | undefined> {
  const known = await findPurchase(client, accountId, purchase.key)
  if (known && (Number(known.amount_pence) !== purchase.amountPence || known.saves_card !== purchase.savesCard)) {
    throw new BillingError('This purchase was started with a different amount. Reload the page.')
  }
  if (known && (known.state === 'expired' || known.state === 'failed'))
    throw new BillingError('This payment was not completed. Reload the page to start again.')
  if (known) return known
  const { same, count } = await findOpen(client, accountId, { mode, ...purchase })
  if (!same && count >= maxOpen) throw new BillingError('Too many payments are open. Complete one of them, or try again tomorrow.')
  return same
}

/** Stores a new top-up, before anything is sent to Stripe. If the purchase was already started, returns its top-up instead. */
async function recordTopUp(deps: BillingDeps, accountId: number, mode: PaymentMode, purchase: Purchase): Promise<StartedTopUp> {
  const vatBasisPoints = deps.settings.vat?.basisPoints ?? null
  const { key: purchaseKey, amountPence, savesCard } = purchase
  return inTransaction(deps.pool, async (client) => {
    const buyer = checkBuyer(await lockBuyer(client, accountId, mode))
    await closeOverdue(client, accountId)
    const started = await findStarted(client, accountId, mode, purchase)
    if (started) return { row: started, buyer }
    const vatPence = vatWithin(amountPence, vatBasisPoints)
    const values = { accountId, purchaseKey, mode, amountPence, credits: creditsFor(amountPence), vatBasisPoints, vatPence, savesCard, checkoutSeconds }
    return { row: await insertTopUp(client, { publicId: newPublicId('top'), ...values }), buyer }
  })
}

/** Returns the URL that the browser returns to after checkout. The page there waits for the payment. */
export const getReturnUrl = (publicUrl: string, topUp: string): string => `${publicUrl}/portal/billing/return?topUp=${topUp}`

function toOrder({ row, buyer }: StartedTopUp, customer: string, publicUrl: string): CheckoutOrder {
  const paidUrl = getReturnUrl(publicUrl, row.public_id)
  return {
    topUp: row.public_id,
    account: buyer.public_id,
    customer,
    amountPence: Number(row.amount_pence),
    credits: Number(row.credits),
    savesCard: row.saves_card,
    expiresAt: row.expires_at ?? row.created_at,
    paidUrl,
    cancelledUrl: `${paidUrl}&cancelled=1`,
  }
}

/**
 * Starts a top-up and returns the URL to pay at. Repeating it with the same key, or for the same amount while a checkout is open, returns the same
 * checkout, which can be paid once; for a purchase already paid it returns the confirmation page.
 * @throws FieldsError if the amount is invalid or payments are unavailable; RefusedError if the email is not confirmed or the account is blocked
 */
export async function startTopUp(deps: BillingDeps, accountId: number, purchase: Purchase): Promise<{ topUp: TopUp; url: string }> {
  refuseFaults({ amount: faultOfAmount(purchase.amountPence) })
  if (!keyForm.test(purchase.key)) throw new BillingError('The purchase key must have 8 to 100 letters, digits, dashes or underscores.')
  const payments = requirePayments(deps)
  const started = await recordTopUp(deps, accountId, payments.mode, purchase)
  const { row, buyer } = started
  const topUp = topUpFromDb(row)
  if (row.state !== 'open') return { topUp, url: getReturnUrl(deps.settings.publicUrl, row.public_id) }
  if (row.checkout_url !== null) return { topUp, url: row.checkout_url }
  if (buyer.is_untold) await retryEmailUpdate(deps.pool, accountId, payments.mode)
  const payer = { accountId, publicId: buyer.public_id, email: buyer.email, customer: buyer.customer_id }
  const { session, url } = await withCustomer(deps, payments, payer, (customer) => payments.openCheckout(toOrder(started, customer, deps.settings.publicUrl)))
  await saveCheckout(deps.pool, row.id, session, url)
  return { topUp, url }
}

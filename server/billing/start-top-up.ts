import type { PoolClient } from 'pg'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { creditsFor, faultOfAmount, vatWithin } from '#server/api/contract/top-ups.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newPublicId } from '#server/ids.ts'
import { BillingError, type BillingRoom } from './billing-room.ts'
import { tellAgain } from './customers.store.ts'
import { withCustomer } from './customers.ts'
import type { CheckoutOrder, PaymentMode } from './payments.ts'
import { paymentsOf } from './payments-here.ts'
import { type TopUp, topUpFromDb } from './top-up.ts'
import { type Buyer, closeOverdue, findOpen, findPurchase, insertTopUp, keepCheckout, lockBuyer, type TopUpRow } from './top-ups.store.ts'

export type Purchase = {
  /** Made once by the page that asks, so that a double click is one purchase. */
  readonly key: string
  readonly amountPence: number
  /** Whether the card is kept for automatic top-ups. */
  readonly savesCard: boolean
}

const keyForm = /^[\w-]{8,100}$/
/** Stripe allows 30 minutes to 24 hours. */
const lastsSeconds = 23 * 3_600
const mostOpen = 20

function checkBuyer(buyer: Buyer | undefined): Buyer {
  if (!buyer || buyer.is_closed) throw new BillingError('This account is closed.')
  if (!buyer.is_verified) throw new RefusedError(refuse('email_not_verified', {}, 'Confirm your email before topping up.'))
  if (buyer.state === 'blocked') throw new RefusedError(refuse('account_blocked', { reason: null }, 'This account is blocked and cannot top up.'))
  return buyer
}

type Begun = { readonly row: TopUpRow; readonly buyer: Buyer }

/** The purchase that was begun before: with this key, or for the same thing on a page that is still open. */
async function findBegun(client: PoolClient, accountId: number, mode: PaymentMode, purchase: Purchase): Promise<TopUpRow | undefined> {
  const known = await findPurchase(client, accountId, purchase.key)
  if (known && (Number(known.amount_pence) !== purchase.amountPence || known.saves_card !== purchase.savesCard)) {
    throw new BillingError('This purchase was begun with another amount. Reload the page.')
  }
  if (known && (known.state === 'expired' || known.state === 'failed'))
    throw new BillingError('This payment was not completed. Reload the page to start again.')
  if (known) return known
  const { same, count } = await findOpen(client, accountId, { mode, ...purchase })
  if (!same && count >= mostOpen) throw new BillingError('Too many payments are open. Complete one of them, or try again tomorrow.')
  return same
}

/** Writes down what is to be bought before anybody else hears of it. */
async function begin(room: BillingRoom, accountId: number, mode: PaymentMode, purchase: Purchase): Promise<Begun> {
  const vatBasisPoints = room.settings.vat?.basisPoints ?? null
  const { key: purchaseKey, amountPence, savesCard } = purchase
  return inTransaction(room.pool, async (client) => {
    const buyer = checkBuyer(await lockBuyer(client, accountId, mode))
    await closeOverdue(client, accountId)
    const begun = await findBegun(client, accountId, mode, purchase)
    if (begun) return { row: begun, buyer }
    const vatPence = vatWithin(amountPence, vatBasisPoints)
    const facts = { accountId, purchaseKey, mode, amountPence, credits: creditsFor(amountPence), vatBasisPoints, vatPence, savesCard, lastsSeconds }
    return { row: await insertTopUp(client, { publicId: newPublicId('top'), ...facts }), buyer }
  })
}

/** Where the browser goes after paying, and where it asks whether the money has come. */
export const returnUrl = (publicUrl: string, topUp: string): string => `${publicUrl}/portal/billing/return?topUp=${topUp}`

function orderOf({ row, buyer }: Begun, customer: string, publicUrl: string): CheckoutOrder {
  const paidUrl = returnUrl(publicUrl, row.public_id)
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
 * Starts a top-up and says where it is paid. Asked again with the same key, or for the same amount while a checkout is open, it leads to the same page,
 * which takes the money once; of a purchase that has been paid it leads to the page that says so.
 * @throws FieldsError when the amount cannot be bought or nobody can pay here; RefusedError when the email is not confirmed or the account blocked.
 */
export async function startTopUp(room: BillingRoom, accountId: number, purchase: Purchase): Promise<{ topUp: TopUp; url: string }> {
  refuseFaults({ amount: faultOfAmount(purchase.amountPence) })
  if (!keyForm.test(purchase.key)) throw new BillingError('The key of a purchase has 8 to 100 letters, digits, dashes and underscores.')
  const payments = paymentsOf(room)
  const begun = await begin(room, accountId, payments.mode, purchase)
  const { row, buyer } = begun
  const topUp = topUpFromDb(row)
  if (row.state !== 'open') return { topUp, url: returnUrl(room.settings.publicUrl, row.public_id) }
  if (row.checkout_url !== null) return { topUp, url: row.checkout_url }
  if (buyer.is_untold) await tellAgain(room.pool, accountId, payments.mode)
  const payer = { accountId, publicId: buyer.public_id, email: buyer.email, customer: buyer.customer_id }
  const { session, url } = await withCustomer(room, payments, payer, (customer) => payments.openCheckout(orderOf(begun, customer, room.settings.publicUrl)))
  await keepCheckout(room.pool, row.id, session, url)
  return { topUp, url }
}

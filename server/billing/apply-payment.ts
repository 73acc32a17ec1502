import { clock } from '#server/clock.ts'
import type { TopUpState } from '#server/db/generated/client.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { endAutoTopUp } from './auto-top-up-decisions.ts'
import { addNotice } from './billing-notices.ts'
import { type ChangeSource, type DisputeChange, type PaymentChange, type RefundChange, RefusedChangeError } from './payment-change.ts'
import { type Posting, posting, postTopUp } from './post-top-up.ts'

/** Stores an event. Returns false if it is already stored; a concurrent delivery of the same event waits here. */
async function recordEvent(tx: Transaction, { event, isLive, at }: ChangeSource): Promise<boolean> {
  if (event === null) return true
  const data = { id: event.id, type: event.type, livemode: isLive, createdAt: at }
  return (await tx.stripeEvent.createMany({ data: [data], skipDuplicates: true })).count === 1
}

/** Condition for rows whose state is older than one reported at `at`. States reported in the same second are ordered by stage. */
const isOlder = (at: Date, stage: number) => ({ OR: [{ notifiedAt: { lt: at } }, { notifiedAt: at, stage: { lt: stage } }] })

async function recordRefund(tx: Transaction, paymentId: string, at: Date, { id, ...state }: RefundChange): Promise<void> {
  const data = { ...state, paymentId, notifiedAt: at }
  const { count } = await tx.stripeRefund.createMany({ data: [{ id, ...data }], skipDuplicates: true })
  if (count === 0) await tx.stripeRefund.updateMany({ where: { id, ...isOlder(at, state.stage) }, data: { ...state, notifiedAt: at } })
}

async function recordDispute(tx: Transaction, paymentId: string, at: Date, { id, ...state }: DisputeChange): Promise<void> {
  const data = { ...state, paymentId, notifiedAt: at }
  const { count } = await tx.stripeDispute.createMany({ data: [{ id, ...data }], skipDuplicates: true })
  if (count === 0) await tx.stripeDispute.updateMany({ where: { id, ...isOlder(at, state.stage) }, data: { ...state, notifiedAt: at } })
}

/**
 * Stores the details of a payment, even before its purchase is known, and locks the payment. The refunded total never decreases. Returns true if the payment
 * may have refunds or disputes, false if it is new and has none.
 */
async function recordPayment(tx: Transaction, id: string, at: Date, { refundedPence = 0, refund, dispute }: PaymentChange): Promise<boolean> {
  const { count } = await tx.stripePayment.createMany({ data: [{ id, refundedPence }], skipDuplicates: true })
  const isNew = count === 1
  if (!isNew) {
    // Of two concurrent events for one payment, the second waits here, so that it sees what the first wrote.
    await lockRows(tx, 'stripe_payment', [id])
    if (refundedPence > 0) await tx.stripePayment.updateMany({ where: { id, refundedPence: { lt: refundedPence } }, data: { refundedPence } })
  }
  if (refund) await recordRefund(tx, id, at, refund)
  if (dispute) await recordDispute(tx, id, at, dispute)
  return !isNew || refundedPence > 0 || refund !== undefined || dispute !== undefined
}

/** Finds the purchase of a payment. Locks the wallet, then the purchase. Returns null if there is no such purchase. */
async function lockTopUp(tx: Transaction, { topUp, session, intent }: PaymentChange): Promise<Posting | null> {
  const conditions = [
    ...(topUp ? [{ publicId: topUp }] : []),
    ...(session ? [{ checkoutSessionId: session }] : []),
    ...(intent ? [{ paymentIntentId: intent }] : []),
  ]
  if (conditions.length === 0) return null
  const found = await tx.topUp.findMany({ where: { OR: conditions }, take: conditions.length, select: { id: true, publicId: true, accountId: true } })
  const target = found.find(({ publicId }) => publicId === topUp) ?? found[0]
  if (!target) return null
  await lockRows(tx, 'wallet', [target.accountId])
  await lockRows(tx, 'top_up', [target.id])
  return tx.topUp.findUniqueOrThrow({ where: { id: target.id }, include: posting })
}

/** Compares payment details with the purchase. @throws RefusedChangeError if they contradict it */
function checkAgreement(topUp: Posting, isLive: boolean, { session, intent, outcome, amountPence }: PaymentChange): void {
  const { publicId, mode, checkoutSessionId, paymentIntentId } = topUp
  if ((mode === 'live') !== isLive) throw new RefusedChangeError(`${publicId} was started in ${mode} mode`)
  if (session && checkoutSessionId !== null && checkoutSessionId !== session) throw new RefusedChangeError(`${publicId} has a different checkout session`)
  if (intent && paymentIntentId !== null && paymentIntentId !== intent) throw new RefusedChangeError(`${publicId} has a different payment`)
  if (outcome === 'paid' && (amountPence !== topUp.amountPence || !intent)) {
    throw new RefusedChangeError(`${publicId} is for ${topUp.amountPence} pence, but ${amountPence} pence were paid`)
  }
}

const isUnderWay = (state: TopUpState): boolean => state === 'open' || state === 'pending'

/** True if the outcome is final and the purchase has failed. After a declined attempt at a checkout, the customer can still try another card. */
const isFailure = ({ state, origin }: Posting, outcome: PaymentChange['outcome']): boolean =>
  isUnderWay(state) && (outcome === 'failed' || (outcome === 'declined' && origin === 'auto'))

/** Returns the state after an outcome. A paid top-up stays paid; an expired one can still become pending or paid. */
function nextState(topUp: Posting, outcome: PaymentChange['outcome']): TopUpState {
  const { state } = topUp
  if (state === 'paid' || outcome === 'paid') return 'paid'
  if (isFailure(topUp, outcome)) return 'failed'
  if (outcome === 'pending' && (state === 'open' || state === 'expired')) return 'pending'
  return outcome === 'expired' && state === 'open' ? 'expired' : state
}

/** Slightly less than the 30 seconds that the return page waits for the payment before it says that an email will follow. */
const waitedMs = 25_000

/** Notifies the account of an outcome that arrived too late to be shown on the payment page, because the bank or Stripe's event was slow. */
async function notifyOutcome(tx: Transaction, topUp: Posting, { at }: ChangeSource, { outcome }: PaymentChange): Promise<void> {
  const [isPaid, hasFailed] = [outcome === 'paid', isFailure(topUp, outcome)]
  const isLate = isPaid && topUp.origin === 'checkout' && (topUp.state === 'open' || topUp.state === 'expired') && at.getTime() < clock.now() - waitedMs
  if (!isLate && !(topUp.state === 'pending' && (isPaid || hasFailed))) return
  await addNotice(tx, topUp.accountId, isPaid ? 'top_up.paid' : 'top_up.failed', { topUp: topUp.publicId, credits: topUp.credits })
}

/** Applies an outcome to a locked top-up and posts its credits. If the outcome is final, an automatic top-up is also ended (`endAutoTopUp`). */
async function updateTopUp(tx: Transaction, topUp: Posting, source: ChangeSource, change: PaymentChange, mayHaveReturns: boolean): Promise<void> {
  const { session = null, intent = null, outcome, failure = null } = change
  const isPaid = outcome === 'paid'
  const state = nextState(topUp, outcome)
  const payment = { paymentIntentId: topUp.paymentIntentId ?? intent, paidAt: topUp.paidAt ?? (isPaid ? new Date(clock.now()) : null) }
  if (topUp.origin === 'auto' && topUp.state !== 'paid' && (isPaid || isFailure(topUp, outcome))) await endAutoTopUp(tx, topUp, isPaid, failure)
  else await notifyOutcome(tx, topUp, source, change)
  const posted = await postTopUp(tx, { ...topUp, ...payment }, mayHaveReturns)
  const checkoutSessionId = topUp.checkoutSessionId ?? session
  const data = { ...payment, ...posted, checkoutSessionId, state, failure: state === 'paid' ? null : (failure ?? topUp.failure) }
  await tx.topUp.update({ where: { id: topUp.id }, data, select: { id: true } })
}

/**
 * Applies payment details: writes the event, the payment, the purchase, the balance, the ledger entry and the notice, all in one transaction.
 * Returns `unknown` if the payment belongs to no known purchase yet. Locks the event, payment, wallet, purchase and settings, in this order.
 * @throws RefusedChangeError if the details contradict the purchase; nothing is changed
 */
export function applyPaymentChange(db: Database, source: ChangeSource, change: PaymentChange): Promise<'applied' | 'duplicate' | 'unknown'> {
  return inTransaction(db, async (tx) => {
    if (!(await recordEvent(tx, source))) return 'duplicate'
    const mayHaveReturns = change.intent ? await recordPayment(tx, change.intent, source.at, change) : true
    const topUp = await lockTopUp(tx, change)
    if (!topUp) return 'unknown'
    checkAgreement(topUp, source.isLive, change)
    await updateTopUp(tx, topUp, source, change, mayHaveReturns)
    return 'applied'
  })
}

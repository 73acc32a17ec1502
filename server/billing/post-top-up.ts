import type { Prisma, TopUpOrigin } from '#server/db/generated/client.ts'
import type { Db, Transaction } from '#server/db/prisma.ts'
import { addNotice } from './billing-notices.ts'
import { enterCredits } from './ledger.sql.ts'

/**
 * Returns the known refunded amount of each payment in pence: the sum of the individual refunds, or the charge's refunded total minus failed refunds, whichever
 * is higher. The total never exceeds the sum of all refunds ever made, so the order of events doesn't matter.
 */
export async function getRefundedPence(db: Db, paymentIds: string[]): Promise<Map<string, number>> {
  const [payments, refunds] = await Promise.all([
    db.stripePayment.findMany({ where: { id: { in: paymentIds } }, take: paymentIds.length, select: { id: true, refundedPence: true } }),
    db.stripeRefund.groupBy({ by: ['paymentId', 'isGone'], where: { paymentId: { in: paymentIds } }, _sum: { amountPence: true } }),
  ])
  const sum = (paymentId: string, isGone: boolean) => refunds.find((one) => one.paymentId === paymentId && one.isGone === isGone)?._sum.amountPence ?? 0
  return new Map(payments.map(({ id, refundedPence }) => [id, Math.max(refundedPence - sum(id, false), sum(id, true), 0)]))
}

/** Returns the amount of a payment that is withheld because of disputes, in pence. */
async function getDisputedPence(tx: Transaction, paymentId: string): Promise<number> {
  return (await tx.stripeDispute.aggregate({ where: { paymentId, isTaken: true }, _sum: { amountPence: true } }))._sum.amountPence ?? 0
}

/** Relation to load with a top-up before posting its ledger entries. */
export const posting = { account: { select: { publicId: true, closedAt: true } } } as const satisfies Prisma.TopUpInclude

export type Posting = Prisma.TopUpGetPayload<{ include: typeof posting }>

type EnteredCredits = Pick<Posting, 'enteredCredits' | 'refundedCredits' | 'disputedCredits'>

const toPounds = (pence: number): string => `£${(pence / 100).toFixed(2)}`

const labels: Readonly<Record<TopUpOrigin, { readonly actor: string; readonly name: string }>> = {
  checkout: { actor: 'account', name: 'Top-up' },
  auto: { actor: 'auto top-up', name: 'Automatic top-up' },
}

/** Adds the credits of a payment, and notifies the administrators if the account has been closed in the meantime. */
async function enterPurchase(tx: Transaction, topUp: Posting, credits: number): Promise<void> {
  const { accountId, publicId, origin, amountPence, paymentIntentId, account } = topUp
  const { actor, name } = labels[origin]
  await enterCredits(tx, { accountId, kind: 'top_up', credits, actor, reason: `${name} of ${toPounds(amountPence)}.`, reference: publicId })
  if (account.closedAt === null) return
  await addNotice(tx, null, 'top_up.closed', { account: account.publicId, topUp: publicId, payment: paymentIntentId ?? '', amountPence })
}

/** Posts a refund: deducts `credits`, or gives them back if negative (the refund failed). Notifies the account. */
async function enterRefund(tx: Transaction, { accountId, publicId, amountPence }: Posting, credits: number): Promise<void> {
  const reason = `Refund of ${toPounds(amountPence)} top-up${credits > 0 ? '.' : ' failed: credits returned.'}`
  await enterCredits(tx, { accountId, kind: 'refund', credits: -credits, actor: 'stripe', reason, reference: publicId })
  await addNotice(tx, accountId, credits > 0 ? 'refund' : 'refund.failed', { topUp: publicId, credits: Math.abs(credits) })
}

/** Posts a dispute: deducts `credits`, or gives them back if negative (the disputed money was returned). Notifies the account. */
async function enterDispute(tx: Transaction, { accountId, publicId, amountPence }: Posting, credits: number): Promise<void> {
  const pounds = toPounds(amountPence)
  const reason = credits > 0 ? `Top-up of ${pounds} disputed.` : `Dispute over ${pounds} top-up resolved: credits returned.`
  await enterCredits(tx, { accountId, kind: 'dispute', credits: -credits, actor: 'stripe', reason, reference: publicId })
  await addNotice(tx, accountId, credits > 0 ? 'dispute.opened' : 'dispute.returned', { topUp: publicId, credits: Math.abs(credits) })
}

/** Turns automatic top-ups off: otherwise they would charge the card again for the money that was just returned. */
async function stopAutoTopUps(tx: Transaction, { accountId, publicId }: Posting, cause: 'dispute' | 'refund'): Promise<void> {
  const offReason = cause === 'dispute' ? 'A payment was disputed.' : 'A payment was refunded.'
  const { count } = await tx.autoTopUp.updateMany({ where: { accountId, isOn: true }, data: { isOn: false, offReason } })
  if (count > 0) await addNotice(tx, accountId, 'auto_top_up.stopped', { topUp: publicId, cause })
}

const nothingReturned = { refundedCredits: 0, disputedCredits: 0 }

/** Returns the total credits to deduct for a top-up's refunds, and for its disputes. */
async function getReturnedCredits(tx: Transaction, { paymentIntentId, amountPence, credits }: Posting) {
  if (paymentIntentId === null) return nothingReturned
  const refundedPence = Math.min((await getRefundedPence(tx, [paymentIntentId])).get(paymentIntentId) ?? 0, amountPence)
  const disputedPence = Math.min(await getDisputedPence(tx, paymentIntentId), amountPence)
  const refundedCredits = Math.floor((refundedPence * credits) / amountPence)
  return { refundedCredits, disputedCredits: Math.min(Math.floor((disputedPence * credits) / amountPence), credits - refundedCredits) }
}

/**
 * Brings a locked top-up's ledger entries into line with its known payment details by posting the difference. Returns the total credits that are then posted.
 * Can be called at any time. `mayHaveReturns` is false if the payment can't have a refund or dispute.
 */
export async function postTopUp(tx: Transaction, topUp: Posting, mayHaveReturns: boolean): Promise<Partial<EnteredCredits>> {
  if (topUp.paidAt === null) return {}
  const { refundedCredits, disputedCredits } = mayHaveReturns ? await getReturnedCredits(tx, topUp) : nothingReturned
  const bought = topUp.credits - topUp.enteredCredits
  const refunded = refundedCredits - topUp.refundedCredits
  const disputed = disputedCredits - topUp.disputedCredits
  if (bought !== 0) await enterPurchase(tx, topUp, bought)
  if (refunded !== 0) await enterRefund(tx, topUp, refunded)
  if (disputed !== 0) await enterDispute(tx, topUp, disputed)
  if (disputed > 0) await stopAutoTopUps(tx, topUp, 'dispute')
  else if (refunded > 0) await stopAutoTopUps(tx, topUp, 'refund')
  return { enteredCredits: topUp.credits, refundedCredits, disputedCredits }
}

import { PrismaClientKnownRequestError } from '@prisma/client/runtime/client'
import { clock } from '#server/clock.ts'
import type { Prisma, TopUp } from '#server/db/generated/client.ts'
import type { Database } from '#server/db/prisma.ts'
import { applyPaymentChange } from './apply-payment.ts'

/** Prisma's error codes for a missing table and a missing column. */
const missing = new Set(['P2021', 'P2022'])

/** Awaits a query. Returns false if the database was never migrated, or predates the table or column. */
async function readFlag(query: Promise<boolean>): Promise<boolean> {
  return query.catch((error: unknown) => {
    if (error instanceof PrismaClientKnownRequestError && missing.has(error.code)) return false
    throw error
  })
}

/** Returns true if the service has ever started in production on this database. */
const hasServedProduction = (db: Database): Promise<boolean> =>
  readFlag(db.serviceState.count({ where: { servesProduction: true } }).then((count) => count > 0))

/** Returns true if any purchase was paid with real money. */
const holdsLivePurchases = (db: Database): Promise<boolean> =>
  readFlag(db.topUp.count({ where: { mode: 'live', state: 'paid' }, take: 1 }).then((count) => count > 0))

/** Marks the database as used in production. Writes only the first time, so that starting on a read-only database doesn't fail. */
export async function markProductionDatabase(db: Database): Promise<void> {
  if (!(await hasServedProduction(db))) await db.serviceState.updateMany({ where: { servesProduction: false }, data: { servesProduction: true } })
}

/**
 * Refuses to start with development features (simulated payments, readable email, generated market data) on a production database. Runs before migrations, so
 * that a
 * rejected start changes nothing. @throws if the database was used in production or contains live payments
 */
export async function refuseProductionDatabase(db: Database): Promise<void> {
  const reason = (await hasServedProduction(db))
    ? 'has been used in production'
    : (await holdsLivePurchases(db))
      ? 'holds purchases paid with real money'
      : null
  if (reason === null) return
  throw new Error(`This database ${reason}, so development features must not run on it. Use another database, or set NODE_ENV=production.`)
}

/** Condition for purchases that were made without real money (simulated or in Stripe test mode) and not fully refunded. */
const unreversed = (db: Database) =>
  ({ mode: { not: 'live' }, state: 'paid', refundedCredits: { lt: db.topUp.fields.credits } }) as const satisfies Prisma.TopUpWhereInput

const pageSize = 200

/** Returns a page of the purchases that match `unreversed`, oldest first. */
function findUnreversed(db: Database, afterId: number) {
  const where = { ...unreversed(db), id: { gt: afterId } }
  return db.topUp.findMany({ where, orderBy: { id: 'asc' }, take: pageSize, include: { account: { select: { publicId: true } } } })
}

/** Reverses a purchase in the same way as a full refund. Does nothing if it is already reversed, because the id of the refund is always the same. */
async function reverse(db: Database, { publicId, paymentIntentId, amountPence }: TopUp): Promise<void> {
  const refund = { id: `re_reversed_${publicId}`, amountPence, status: 'reversed', isGone: true, stage: 1 }
  await applyPaymentChange(db, { event: null, isLive: false, at: new Date(clock.now()) }, { intent: paymentIntentId, refund })
}

/** `credits` excludes credits that were already deducted, for example because of a dispute. */
type ReversedPurchase = { readonly topUp: string; readonly account: string; readonly mode: string; readonly credits: number }

/**
 * Reverses every purchase made without real money: deducts its credits, as a refund does. If the credits were already spent, the balance falls below zero. Each
 * purchase is reversed only once, in its own transaction, so it is safe to repeat an interrupted run or to run it concurrently. Changes nothing with
 * `isDryRun`.
 */
export async function reverseSimulatedPurchases(db: Database, { isDryRun }: { isDryRun: boolean }): Promise<ReversedPurchase[]> {
  const reversed: ReversedPurchase[] = []
  for (let after = 0; ; ) {
    const page = await findUnreversed(db, after)
    for (const one of page) {
      if (!isDryRun) await reverse(db, one)
      const { publicId: topUp, account, mode, credits, refundedCredits, disputedCredits } = one
      reversed.push({ topUp, account: account.publicId, mode, credits: credits - refundedCredits - disputedCredits })
      after = one.id
    }
    if (page.length < pageSize) return reversed
  }
}

/**
 * Refuses to start in production while there are purchases made without real money that have not been reversed. @throws an error whose message gives the
 * command that reverses them
 */
export async function refuseSimulatedPurchases(db: Database): Promise<void> {
  const { _count: purchases, _sum } = await db.topUp.aggregate({
    where: unreversed(db),
    _count: true,
    _sum: { credits: true, refundedCredits: true, disputedCredits: true },
  })
  if (purchases === 0) return
  const credits = (_sum.credits ?? 0) - (_sum.refundedCredits ?? 0) - (_sum.disputedCredits ?? 0)
  throw new Error(
    `Simulated purchases in this database: ${purchases}, worth ${credits} credits, which must not be spent in production. Reverse the purchases with: npm run svc -- billing reverse-simulated`,
  )
}

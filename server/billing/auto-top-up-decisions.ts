import { monthNumber } from '#server/api/contract/dates.ts'
import { creditsFor, vatWithin } from '#server/api/contract/price-kinds.ts'
import { clock } from '#server/clock.ts'
import { type PaymentMode, Prisma, type TopUp } from '#server/db/generated/client.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { findBillingDetails } from './billing-details.ts'
import { addNotice } from './billing-notices.ts'

/** Relations needed to decide whether to charge an account's card: its state, balance and saved card. */
const relations = (mode: PaymentMode) =>
  ({
    account: {
      select: {
        publicId: true,
        state: true,
        closedAt: true,
        wallet: { select: { balance: true } },
        paymentCustomers: { where: { mode, paymentMethodId: { not: null } }, take: 1, select: { customerId: true, paymentMethodId: true } },
      },
    },
  }) as const satisfies Prisma.AutoTopUpInclude

type Settings = Prisma.AutoTopUpGetPayload<{ include: ReturnType<typeof relations> }>

/**
 * Locks an account's automatic top-up settings, and returns them with the data needed to decide on a charge. The wallet must already be locked, so that credits
 * being posted concurrently are counted.
 */
async function lockSettings(tx: Transaction, accountId: number, mode: PaymentMode): Promise<Settings | null> {
  await lockRows(tx, 'auto_top_up', [accountId])
  return tx.autoTopUp.findUnique({ where: { accountId }, include: relations(mode) })
}

/** True if automatic top-ups are on, the balance is below the threshold, there is a card to charge, and the account is neither blocked nor closed. */
function isNeeded({ isOn, thresholdCredits, account }: Settings): boolean {
  const isBelow = account.wallet !== null && account.wallet.balance < thresholdCredits
  return isOn && isBelow && account.paymentCustomers.length > 0 && account.state !== 'blocked' && account.closedAt === null
}

/**
 * Returns the amount reserved under the current month's ceiling. Uses the stored amount if it is for this month; otherwise adds it up, because the clock may
 * have been set back.
 */
async function getReservedPence(tx: Transaction, accountId: number, { month, monthPence }: Settings, now: Date): Promise<number> {
  if (month === monthNumber(now)) return monthPence
  const startOfMonth = (offset: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1))
  const where: Prisma.TopUpWhereInput = {
    accountId,
    origin: 'auto',
    state: { in: ['open', 'pending', 'paid'] },
    createdAt: { gte: startOfMonth(0), lt: startOfMonth(1) },
  }
  return (await tx.topUp.aggregate({ where, _sum: { amountPence: true } }))._sum.amountPence ?? 0
}

type Begun = { readonly accountId: number; readonly mode: PaymentMode; readonly publicId: string; readonly vatBasisPoints: number | null }

/**
 * Starts an automatic top-up if the account still needs one, and reserves its amount under the month's ceiling. Notifies the account once a month if the
 * ceiling prevents it. Returns false if none was started.
 */
export function beginAutoTopUp(db: Database, { accountId, mode, publicId, vatBasisPoints }: Begun): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await lockRows(tx, 'wallet', [accountId])
    const found = await lockSettings(tx, accountId, mode)
    const now = new Date(clock.now())
    if (!found || !isNeeded(found) || found.currentId !== null || (found.notBefore !== null && found.notBefore > now)) return false
    const month = monthNumber(now)
    const { amountPence, ceilingPence } = found
    const monthPence = await getReservedPence(tx, accountId, found, now)
    if (monthPence + amountPence > ceilingPence) {
      await tx.autoTopUp.update({ where: { accountId }, data: { month, monthPence, ceilingNotified: month }, select: { accountId: true } })
      if (found.ceilingNotified !== month) await addNotice(tx, accountId, 'auto_top_up.ceiling', { ceilingPence })
      return false
    }
    const price = { amountPence, credits: creditsFor(amountPence), vatBasisPoints, vatPence: vatWithin(amountPence, vatBasisPoints) }
    const billedTo = (await findBillingDetails(tx, accountId)) ?? Prisma.DbNull
    const data = { publicId, accountId, purchaseKey: publicId, origin: 'auto', mode, createdAt: now, billedTo, ...price } as const
    const { id } = await tx.topUp.create({ data, select: { id: true } })
    const reserved = { month, monthPence: monthPence + amountPence, currentId: id, attempts: 0 }
    await tx.autoTopUp.update({ where: { accountId }, data: reserved, select: { accountId: true } })
    return true
  })
}

type Current = Pick<Settings, 'currentId' | 'month' | 'monthPence'>

/** Returns the settings to store once a top-up has ended. Adds `pence` to the reserved amount if that amount is for the month in which the top-up started. */
function withoutCurrent({ currentId, month, monthPence }: Current, { id, createdAt }: Pick<TopUp, 'id' | 'createdAt'>, pence: number) {
  const change = month === monthNumber(createdAt) ? pence : 0
  return { currentId: currentId === id ? null : currentId, monthPence: Math.max(0, monthPence + change) }
}

/**
 * Decides whether an automatic top-up that was never charged is still needed, with the same locks and rules as when it began. If not, ends it and releases its
 * amount. This doesn't count as a failure of the card.
 */
export function resumeAutoTopUp(db: Database, publicId: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { id, accountId } = await tx.topUp.findUniqueOrThrow({ where: { publicId }, select: { id: true, accountId: true } })
    await lockRows(tx, 'wallet', [accountId])
    await lockRows(tx, 'top_up', [id])
    const select = { id: true, publicId: true, accountId: true, amountPence: true, createdAt: true, state: true, mode: true } as const
    const topUp = await tx.topUp.findUniqueOrThrow({ where: { id }, select })
    // If the payment is pending at the bank, it is safe to repeat the request.
    if (topUp.state !== 'open') return topUp.state === 'pending'
    const found = await lockSettings(tx, accountId, topUp.mode)
    if (!found) return false
    const isWithinCeiling = found.month !== monthNumber(topUp.createdAt) || found.monthPence <= found.ceilingPence
    if (isNeeded(found) && found.amountPence === topUp.amountPence && isWithinCeiling) return true
    await tx.topUp.update({ where: { id }, data: { state: 'failed', failure: 'The top-up was no longer needed.' }, select: { id: true } })
    const data = withoutCurrent(found, topUp, -topUp.amountPence)
    await tx.autoTopUp.update({ where: { accountId }, data, select: { accountId: true } })
    return false
  })
}

const hourMs = 3_600_000
const maxFailures = 3

/**
 * Ends an automatic top-up. `topUp` is its state before the outcome. A failure releases its amount and delays the next top-up by one more hour each time; the
 * third failure in a row turns automatic top-ups off. A top-up that is paid after it failed reserves its amount again. After a paid top-up, the next one waits
 * a minute, so that neither wrong settings nor a debt larger than one top-up can use up a month's ceiling in seconds.
 */
export async function endAutoTopUp(tx: Transaction, topUp: TopUp, isPaid: boolean, failure: string | null): Promise<void> {
  const { accountId, publicId, credits, amountPence, state } = topUp
  await lockRows(tx, 'auto_top_up', [accountId])
  const select = { currentId: true, month: true, monthPence: true, failures: true, isOn: true, offReason: true } as const
  const found = await tx.autoTopUp.findUniqueOrThrow({ where: { accountId }, select })
  const failures = isPaid ? 0 : found.failures + 1
  const isLast = failures >= maxFailures
  const paidPence = state === 'failed' ? amountPence : 0
  const data = {
    ...withoutCurrent(found, topUp, isPaid ? paidPence : -amountPence),
    failures,
    notBefore: new Date(clock.now() + (isPaid ? 60_000 : failures * hourMs)),
    isOn: found.isOn && !isLast,
    offReason: isLast ? (failure ?? 'The card was declined.') : found.offReason,
  }
  await tx.autoTopUp.update({ where: { accountId }, data, select: { accountId: true } })
  const outcome = isPaid ? 'auto_top_up.paid' : isLast ? 'auto_top_up.off' : 'auto_top_up.failed'
  await addNotice(tx, accountId, outcome, { topUp: publicId, credits, reason: failure })
}

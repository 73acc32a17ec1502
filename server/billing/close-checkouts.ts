import { dayMs } from '#server/api/contract/dates.ts'
import { clock } from '#server/clock.ts'
import type { PaymentMode, Prisma } from '#server/db/generated/client.ts'
import type { Database } from '#server/db/prisma.ts'
import type { BillingDeps, Payments } from './billing-deps.ts'
import { firstDue, isDue, isLastAttempt, postponed } from './retries.ts'

/** Time after which a checkout whose page was never created counts as abandoned. */
export const abandonedMs = 15 * 60_000

const batchSize = 20

/** Postpones a top-up that is not paid yet, after a failed attempt. Returns true after the last one. */
export async function postponeTopUp(db: Database, { id, attempts }: { readonly id: number; readonly attempts: number }): Promise<boolean> {
  const { count } = await db.topUp.updateMany({ where: { id, attempts, state: { in: ['open', 'pending', 'expired'] } }, data: postponed(attempts) })
  return count === 1 && isLastAttempt(attempts)
}

/** Condition for top-ups that count as expired because their billing details changed, although Stripe's page can still be paid. */
export const isStillPayable = (): Prisma.TopUpWhereInput => ({ state: 'expired', checkoutSessionId: { not: null }, expiresAt: { gt: new Date(clock.now()) } })

/**
 * Condition for open checkouts of closed accounts. A checkout whose page is still being created is due once the page exists, or after 15 minutes.
 */
const isOfClosedAccount = (): Prisma.TopUpWhereInput => ({
  state: 'open',
  account: { closedAt: { not: null } },
  OR: [{ checkoutSessionId: { not: null } }, { createdAt: { lt: new Date(clock.now() - abandonedMs) } }],
})

const columns = { id: true, publicId: true, checkoutSessionId: true, attempts: true, expiresAt: true, createdAt: true } as const

type Checkout = Prisma.TopUpGetPayload<{ select: typeof columns }>

/** Returns checkouts that are due to be expired at Stripe. */
const findDue = (db: Database, mode: PaymentMode): Promise<Checkout[]> =>
  db.topUp.findMany({
    where: { origin: 'checkout', mode, AND: [{ OR: [isStillPayable(), isOfClosedAccount()] }, isDue()] },
    orderBy: [firstDue, { id: 'asc' }],
    take: batchSize,
    select: columns,
  })

const hasExpired = ({ expiresAt, createdAt }: Checkout): boolean => (expiresAt?.getTime() ?? createdAt.getTime() + dayMs) < clock.now()

/** Expires a checkout at Stripe, and records the time. If it was paid after all, Stripe's event still marks the top-up as paid. */
async function close(db: Database, payments: Payments, checkout: Checkout): Promise<void> {
  const { id, publicId: topUp, checkoutSessionId: session } = checkout
  const isOver = hasExpired(checkout)
  if (session !== null && !isOver) await payments.closeCheckout({ topUp, session })
  const ended = isOver ? {} : { expiresAt: new Date(clock.now()) }
  await db.topUp.updateMany({ where: { id, state: { in: ['open', 'expired'] } }, data: { state: 'expired', ...ended } })
}

/**
 * Expires the checkouts that an account's changed billing details replaced. Call it before Stripe's customer gets other details, because the invoice of a
 * checkout shows the name and address that the customer has when it is paid.
 */
export async function closeReplacedCheckouts(db: Database, payments: Payments, accountId: number): Promise<void> {
  const where = { accountId, origin: 'checkout', mode: payments.mode, ...isStillPayable() } as const
  for (const checkout of await db.topUp.findMany({ where, orderBy: { id: 'asc' }, take: batchSize, select: columns })) await close(db, payments, checkout)
}

const failedToClose = 'Failed to close a payment page; retrying.'
const expiredFirst =
  "A closed account's checkout ended before we could expire it. If it was paid, administrators receive an email; refund the payment in Stripe."

/**
 * Expires the Stripe checkouts that closed accounts left open, and those that changed billing details replaced. If this keeps failing, Stripe expires them
 * itself within a day.
 */
export async function closeCheckouts({ pool: db, payments, log }: BillingDeps, signal: AbortSignal): Promise<void> {
  if (!payments) return
  for (const checkout of await findDue(db, payments.mode)) {
    if (signal.aborted) return
    const { publicId: topUp, attempts } = checkout
    try {
      await close(db, payments, checkout)
      if (hasExpired(checkout) && attempts > 0) log.error({ topUp }, expiredFirst)
    } catch (error) {
      log.warn({ err: error, topUp }, failedToClose)
      await postponeTopUp(db, checkout)
    }
  }
}

import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'

const select = {
  publicId: true,
  origin: true,
  mode: true,
  state: true,
  amountPence: true,
  credits: true,
  failure: true,
  createdAt: true,
  expiresAt: true,
  paidAt: true,
  enteredCredits: true,
  refundedCredits: true,
  disputedCredits: true,
  checkoutSessionId: true,
  paymentIntentId: true,
} as const

const failedMs = 30 * 86_400_000

/**
 * Returns an account's top-ups in every state, for administrators: those that failed in the last 30 days, then the newest others. `reference` is the payment or,
 * before there is one, the checkout at Stripe.
 */
export async function getAccountPayments(db: Database, accountId: number, limit: number) {
  const hasFailed = { state: 'failed', createdAt: { gte: new Date(clock.now() - failedMs) } } as const
  const newest = { orderBy: { id: 'desc' }, take: limit, select } as const
  const [failed, others] = await Promise.all([
    db.topUp.findMany({ where: { accountId, ...hasFailed }, ...newest }),
    db.topUp.findMany({ where: { accountId, NOT: hasFailed }, ...newest }),
  ])
  return [...failed, ...others]
    .slice(0, limit)
    .map(({ publicId, checkoutSessionId, paymentIntentId, ...row }) => ({ ...row, id: publicId, reference: paymentIntentId ?? checkoutSessionId }))
}

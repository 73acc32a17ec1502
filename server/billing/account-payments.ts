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

/** Returns an account's newest top-ups in every state, for administrators. `reference` is the payment or, before there is one, the checkout at Stripe. */
export async function getAccountPayments(db: Database, accountId: number, limit: number) {
  const rows = await db.topUp.findMany({ where: { accountId }, orderBy: { id: 'desc' }, take: limit, select })
  return rows.map(({ publicId, checkoutSessionId, paymentIntentId, ...row }) => ({ ...row, id: publicId, reference: paymentIntentId ?? checkoutSessionId }))
}

import type { Db } from '#server/db/prisma.ts'

const maxRecipients = 50

/**
 * Returns the email addresses that get the notices of an account: its owner's, and those of its billing members for billing notices. None for a closed
 * account.
 */
export async function accountRecipients(db: Db, accountId: number, about: 'account' | 'billing'): Promise<string[]> {
  const isOpen = { closedAt: null, emailVerifiedAt: { not: null } }
  const account = await db.account.findFirst({ where: { id: accountId, closedAt: null }, select: { email: true, owner: { select: { email: true } } } })
  if (account === null) return []
  const where = { accountId, role: 'billing', member: isOpen } as const
  const members =
    about === 'billing'
      ? await db.membership.findMany({ where, orderBy: { createdAt: 'asc' }, take: maxRecipients, select: { member: { select: { email: true } } } })
      : []
  return [account.owner?.email ?? account.email, ...members.map(({ member }) => member.email)]
}

import { toLabel } from '#server/api/contract/teams.ts'
import type { Db } from '#server/db/prisma.ts'

/** Condition for the logins that have access to an account: those of its owner and its members. */
export const withAccess = (accountId: number) => ({
  OR: [{ id: accountId, ownerId: null }, { owned: { some: { id: accountId } } }, { memberships: { some: { accountId } } }],
})

/**
 * Returns a function that names the people who made an account's keys, changes and messages, by the ids of their logins. Anyone who no longer has access is "a
 * former member", because the account must not see their later name or email.
 */
export async function readMemberLabels(db: Db, accountId: number, ids: readonly (number | null)[]): Promise<(id: number) => string> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  const where = { id: { in: wanted }, closedAt: null, ...withAccess(accountId) }
  const found = wanted.length === 0 ? [] : await db.account.findMany({ where, take: wanted.length, select: { id: true, name: true, email: true } })
  const labels = new Map(found.map((person) => [person.id, toLabel(person)]))
  return (id) => labels.get(id) ?? 'a former member'
}

import { readRole } from '#server/accounts/permissions.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { type Role, toLabel } from '#server/api/contract/teams.ts'
import type { AuthContext } from '#server/auth/auth-context.ts'
import type { Viewer } from '#server/auth/viewer.ts'

/** Account that a person can use. */
export type UsableAccount = { readonly publicId: string; readonly label: string; readonly role: Role }

const maxAccounts = 100

const account = { select: { id: true, publicId: true, name: true, email: true, ownerId: true } } as const

/**
 * Returns the accounts that a person can use: their own, then those that they own, then those that they are a member of. A blocked person has only their own, and
 * a session that began through the provider of an account has only that account.
 */
export async function getUsableAccounts({ pool }: Pick<AuthContext, 'pool'>, { member, state, limitedTo }: Viewer): Promise<UsableAccount[]> {
  const { accountId: memberId } = member
  const isOpen = { closedAt: null }
  const [own, owned, memberships] = await Promise.all([
    pool.account.findUniqueOrThrow({ where: { id: memberId }, ...account }),
    pool.account.findMany({ where: { ...isOpen, ownerId: memberId, id: { not: memberId } }, orderBy: { id: 'asc' }, take: maxAccounts, ...account }),
    pool.membership.findMany({
      where: { memberId, account: isOpen },
      orderBy: { createdAt: 'asc' },
      take: maxAccounts,
      select: { role: true, account },
    }),
  ])
  const toUsable = (row: typeof own, role: Role) => ({ id: row.id, publicId: row.publicId, label: toLabel(row), role })
  const others = state === 'blocked' ? [] : [...owned.map((row) => toUsable(row, 'owner')), ...memberships.map((row) => toUsable(row.account, row.role))]
  const isOwner = (own.ownerId ?? own.id) === memberId
  const all = [...(isOwner ? [toUsable(own, 'owner')] : []), ...others]
  return all.filter(({ id }) => limitedTo === null || limitedTo === id).map(({ id: _, ...usable }) => usable)
}

/** Switches this session to another account, from the next request. @throws RefusedError not_found if the person has no access to the account */
export async function switchAccount({ pool }: Pick<AuthContext, 'pool'>, viewer: Viewer, publicId: string): Promise<void> {
  const { sessionId, member, state, limitedTo } = viewer
  const row = await pool.account.findFirst({ where: { publicId, closedAt: null }, select: { id: true, ownerId: true } })
  const isOwn = row?.id === member.accountId
  const mayUse = row !== null && (isOwn || (state !== 'blocked' && (await readRole(pool, row, member.accountId)) !== null))
  if (!mayUse || (limitedTo !== null && limitedTo !== row.id)) throw new RefusedError(refuse('not_found', {}, 'Account not found.'))
  await pool.portalSession.updateMany({ where: { id: sessionId, endedAt: null }, data: { actingAccountId: isOwn ? null : row.id } })
}

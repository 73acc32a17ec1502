import { type MemberRole, memberRoles, type Role, roleNames, toLabel } from '#server/api/contract/teams.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Db, Transaction } from '#server/db/prisma.ts'

const developer = ['developer'] as const
const billing = ['billing'] as const
const developerOrBilling = ['developer', 'billing'] as const
const ownerOnly = [] as const

/**
 * Roles that can run each mutation of an account, besides the owner. Mutations that are not listed are for the owner only. Every member can run all queries.
 * Personal procedures, such as a change of password, act on the user's own login and need no role.
 */
export const memberMutations = {
  'alerts.create': developerOrBilling,
  'alerts.update': developerOrBilling,
  'alerts.pause': developerOrBilling,
  'alerts.resume': developerOrBilling,
  'alerts.delete': developerOrBilling,
  'billing.startTopUp': billing,
  'billing.customerPage': billing,
  'billing.removeCard': billing,
  'billing.setDetails': billing,
  'billing.setAlerts': billing,
  'billing.setCap': billing,
  'billing.setAutoTopUp': billing,
  'keys.create': developer,
  'keys.update': developer,
  'keys.rotate': developer,
  'keys.revoke': developer,
  'licence.accept': ownerOnly,
  'oauth.approve': developer,
  'profile.setPurpose': ownerOnly,
  'security.closeAccount': ownerOnly,
  'support.open': developerOrBilling,
  'support.reply': developerOrBilling,
  'team.invite': ownerOnly,
  'team.resend': ownerOnly,
  'team.revoke': ownerOnly,
  'team.changeRole': ownerOnly,
  'team.remove': ownerOnly,
  'team.transfer': ownerOnly,
  'team.leave': memberRoles,
  'team.setSingleSignOn': ownerOnly,
  'team.requireSingleSignOn': ownerOnly,
  'team.removeSingleSignOn': ownerOnly,
  'webhooks.enable': developer,
  'webhooks.ask': developer,
  'webhooks.create': developer,
  'webhooks.update': developer,
  'webhooks.rotate': developer,
  'webhooks.pause': developer,
  'webhooks.resume': developer,
  'webhooks.delete': developer,
  'webhooks.test': developer,
  'webhooks.redeliver': developer,
  'webhooks.redeliverRange': developer,
  'webhooks.redeliverFailed': developer,
} as const satisfies Record<string, readonly MemberRole[]>

/** Returns true if an administrator owns an account or is a member of it. Only another administrator may then act on it. */
export async function isOwnAccount(db: Db, adminId: number, accountId: number): Promise<boolean> {
  if (accountId === adminId) return true
  const account = await db.account.findUnique({ where: { id: accountId }, select: { id: true, ownerId: true } })
  return account !== null && (await readRole(db, account, adminId)) !== null
}

const getRoles = (mutation: string): readonly MemberRole[] => (memberMutations as Readonly<Record<string, readonly MemberRole[]>>)[mutation] ?? ownerOnly

/** Returns true if members with a role can run a mutation. */
export const mayRun = (role: MemberRole, mutation: keyof typeof memberMutations): boolean => getRoles(mutation).includes(role)

/** Thrown if the user's role doesn't allow a procedure, or the page shows another account. The message says what to do. */
export class AccessError extends Error {
  override name = 'AccessError'
}

/** Returns the role of a login in an account; null if it has none. `ownerId` is null if the account's own login owns it. */
export async function readRole(db: Db, { id, ownerId }: { readonly id: number; readonly ownerId: number | null }, memberId: number): Promise<Role | null> {
  if ((ownerId ?? id) === memberId) return 'owner'
  return (await db.membership.findUnique({ where: { accountId_memberId: { accountId: id, memberId } }, select: { role: true } }))?.role ?? null
}

/** Account that is shown, and the role of the user in it. `ownerEmail` is the address of its owner. */
type Shown = ShownId & { readonly name: string; readonly email: string; readonly ownerEmail: string; readonly member: { readonly role: Role | null } }

/** Returns why the user can't run a mutation of the account that is shown; null if they can. */
export function mutationFault({ member: { role }, ownerEmail: owner, lost, ...account }: Shown, mutation: string): string | null {
  if (role === 'owner') return null
  const label = toLabel(account)
  if (role === null && lost?.publicId === account.publicId) return `${label} requires single sign-on. Reload the page.`
  // Doesn't name the owner, whom a former member must not learn.
  if (role === null) return `You no longer have access to ${label}. Ask its owner to invite you.`
  const [needed, ...others] = getRoles(mutation)
  if (needed === undefined) return `Only the account's owner, ${owner}, can do this. Your role is ${roleNames[role]}.`
  if (role === needed || others.includes(role)) return null
  return `Your role in ${label} is ${roleNames[role]}. Ask its owner, ${owner}, for the ${roleNames[needed]} role.`
}

/** Requires that the user can run a procedure of the account that is shown. @throws AccessError */
export function requireAccess(viewer: Shown, procedure: string, isQuery: boolean): void {
  const fault = isQuery && viewer.member.role !== null ? null : mutationFault(viewer, procedure)
  if (fault !== null) throw new AccessError(fault)
}

/**
 * Requires, within the transaction of a change, that the member still has permission to make it. Locks the account, as changes to its members do, so a member
 * who is being removed either makes the change first or gets an error. `memberId` is null for the account's own login, which may also have been removed after a
 * transfer. Lock the wallet first if the change needs it.
 * @throws AccessError
 */
export async function requireMember(tx: Transaction, accountId: number, memberId: number | null, mutation: keyof typeof memberMutations): Promise<void> {
  await lockRows(tx, 'account', [accountId])
  const personId = memberId ?? accountId
  const account = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { id: true, ownerId: true } })
  if (personId !== accountId && (await tx.account.count({ where: { id: personId, OR: [{ state: 'blocked' }, { closedAt: { not: null } }] } })) > 0) {
    throw new AccessError('Your own account is blocked or closed, so you can no longer make changes here. Contact support.')
  }
  const role = await readRole(tx, account, personId)
  if (role === 'owner' || (role !== null && mayRun(role, mutation))) return
  throw new AccessError('Your access to this account has just changed. Reload the page.')
}

type Lost = { readonly publicId: string; readonly label: string; readonly reason: 'no-access' | 'single-sign-on' | 'unlinked' }
type ShownId = { readonly publicId: string; readonly lost: Lost | null }

/**
 * Requires that a page still shows the account that its calls act on. `page` is the account that the page shows, by public id; null if unknown.
 * @throws AccessError if the user has switched to another account, lost access to this one, or has to sign in through its provider
 */
export function requireSameAccount({ publicId, lost }: ShownId, page: string | null): void {
  if (page === null || page === publicId) return
  const lostMessage = lost?.reason === 'no-access' ? `You no longer have access to ${lost.label}.` : `${lost?.label} requires single sign-on.`
  const why = page === lost?.publicId ? lostMessage : 'You have switched to another account since this page was loaded.'
  throw new AccessError(`${why} Reload the page.`)
}

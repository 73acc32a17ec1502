import { holdWallet } from '#server/accounts/accounts.ts'
import { writeAudit } from '#server/accounts/audit.ts'
import { AccessError, mayRun } from '#server/accounts/permissions.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { MemberRole } from '#server/api/contract/teams.ts'
import type { Asker, AuthContext } from '#server/auth/auth-context.ts'
import { endOrganisationSessions } from '#server/auth/sessions.ts'
import { accountActor, type Viewer } from '#server/auth/viewer.ts'
import { markCustomersStale } from '#server/billing/customers.ts'
import { stopCharges } from '#server/billing/saved-cards.ts'
import { clock } from '#server/clock.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmail } from '#server/email/email.ts'
import { endApprovals } from '#server/keys/application-keys.ts'
import { deleteProvider } from './single-sign-on/delete-provider.ts'

/** Maximum number of members of an account. */
export const maxMembers = 50

const person = { select: { publicId: true, email: true, name: true } } as const

/** Condition for invitations that can still be accepted. */
export const isOpen = () => ({ acceptedAt: null, revokedAt: null, expiresAt: { gt: new Date(clock.now()) } })

const maxInvitations = 100

/** Returns the owner, the members and the open invitations of the account that is shown. */
export async function getTeam({ pool }: Pick<AuthContext, 'pool'>, { accountId, member }: Viewer) {
  const account = await pool.account.findUniqueOrThrow({
    where: { id: accountId },
    select: {
      ...person.select,
      owner: person,
      members: { orderBy: { createdAt: 'asc' }, take: maxMembers, select: { role: true, createdAt: true, member: person } },
    },
  })
  const invitations = await pool.invitation.findMany({
    where: { accountId, ...isOpen() },
    orderBy: { id: 'desc' },
    take: maxInvitations,
    select: { publicId: true, email: true, role: true, createdAt: true, expiresAt: true },
  })
  const { owner, members, ...own } = account
  return {
    /** Role of the user. */
    role: member.role,
    /** Public id of the user. */
    user: member.publicId,
    owner: owner ?? own,
    members: members.map((row) => ({ ...row.member, role: row.role, since: row.createdAt })),
    invitations: invitations.map(({ publicId: id, ...row }) => ({ id, ...row })),
  }
}

/** Locks an account and requires that the user still owns it. @throws AccessError */
export async function lockAsOwner(tx: Transaction, { accountId, member }: Viewer): Promise<void> {
  await lockRows(tx, 'account', [accountId])
  const row = await tx.account.findFirst({ where: { id: accountId, closedAt: null }, select: { ownerId: true } })
  if (row === null || (row.ownerId ?? accountId) !== member.accountId) throw new AccessError('You no longer own this account. Reload the page.')
}

/** Returns a member of an account. @throws RefusedError not_found */
export async function findMember(db: Db, accountId: number, publicId: string) {
  const select = { role: true, member: { select: { id: true, publicId: true, email: true, state: true, closedAt: true } } } as const
  const row = await db.membership.findFirst({ where: { accountId, member: { publicId } }, select })
  if (row === null) throw new RefusedError(refuse('not_found', {}, 'This account has no such member. Reload the page.'))
  return { role: row.role, ...row.member }
}

/** Changes the role of a member, from their next request on. Applications lose the keys that the member could no longer approve. @throws AccessError; RefusedError not_found */
export async function changeRole(deps: AuthContext, asker: Asker, viewer: Viewer, publicId: string, role: MemberRole): Promise<void> {
  const { accountId } = viewer
  await inTransaction(deps.pool, async (tx) => {
    await holdWallet(tx, accountId)
    await lockAsOwner(tx, viewer)
    const member = await findMember(tx, accountId, publicId)
    if (member.role === role) return
    await tx.membership.update({ where: { accountId_memberId: { accountId, memberId: member.id } }, data: { role }, select: { role: true } })
    const change = { before: { role: member.role }, after: { role } }
    await writeAudit(tx, { ...accountActor(viewer, asker), accountId, action: 'member.role', subject: publicId, ...change })
    if (!mayRun(role, 'keys.create')) await endApprovals(tx, accountActor(viewer, asker), accountId, member.id)
  })
}

type Deleted = { readonly id: number; readonly publicId: string; readonly role: MemberRole }

async function deleteMember(tx: Transaction, asker: Asker, viewer: Viewer, member: Deleted, action: 'member.remove' | 'member.leave') {
  const { accountId } = viewer
  await tx.membership.delete({ where: { accountId_memberId: { accountId, memberId: member.id } }, select: { role: true } })
  await tx.linkedSignIn.deleteMany({ where: { accountId, memberId: member.id } })
  await endOrganisationSessions(tx, accountId, member.id)
  await writeAudit(tx, { ...accountActor(viewer, asker), accountId, action, subject: member.publicId, before: { role: member.role } })
  await endApprovals(tx, accountActor(viewer, asker), accountId, member.id)
}

/**
 * Removes a member. They lose access from their next request, and so do the applications that they approved; the keys that they created in the portal keep
 * working. @throws AccessError; RefusedError not_found
 */
export async function removeMember(deps: AuthContext, asker: Asker, viewer: Viewer, publicId: string): Promise<void> {
  const { accountId, name, email } = viewer
  await inTransaction(deps.pool, async (tx) => {
    await holdWallet(tx, accountId)
    await lockAsOwner(tx, viewer)
    const member = await findMember(tx, accountId, publicId)
    await deleteMember(tx, asker, viewer, member, 'member.remove')
    await enqueueEmail(tx, 'team', member.email, { change: 'removed', account: { name, email } })
  })
}

/** Ends the user's own membership, and switches the session to their own account. @throws FieldsError if they own the account */
export async function leaveTeam(deps: AuthContext, asker: Asker, viewer: Viewer): Promise<void> {
  const { accountId, sessionId, member: user } = viewer
  await inTransaction(deps.pool, async (tx) => {
    await holdWallet(tx, accountId)
    await lockRows(tx, 'account', [accountId])
    const row = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { ownerId: true } })
    if ((row.ownerId ?? accountId) === user.accountId) throw new FieldsError({ form: 'You own this account. Transfer it to a member before you leave.' })
    await deleteMember(tx, asker, viewer, { ...(await findMember(tx, accountId, user.publicId)) }, 'member.leave')
    await tx.portalSession.updateMany({ where: { id: sessionId }, data: { actingAccountId: null } })
  })
}

/**
 * Makes a member the owner and the previous owner a developer, and emails both. Revokes open invitations, turns off automatic top-ups, and deletes the saved
 * card and the single sign-on provider, which may be the previous owner's. @throws AccessError; RefusedError not_found; FieldsError if the member is blocked or closed
 */
export async function transferOwnership(deps: AuthContext, asker: Asker, viewer: Viewer, publicId: string): Promise<void> {
  const { accountId, name, email, member: previous } = viewer
  await inTransaction(deps.pool, async (tx) => {
    await holdWallet(tx, accountId)
    const known = await findMember(tx, accountId, publicId)
    // Both are locked in id order: a person whose own account is being blocked or closed must not become the owner.
    await lockRows(tx, 'account', [accountId, known.id])
    await lockAsOwner(tx, viewer)
    const next = await findMember(tx, accountId, publicId)
    if (next.closedAt !== null || next.state === 'blocked')
      throw new FieldsError({ form: "This member's own account is blocked or closed. Choose another member." })
    await tx.account.update({ where: { id: accountId }, data: { ownerId: next.id === accountId ? null : next.id }, select: { id: true } })
    await tx.membership.delete({ where: { accountId_memberId: { accountId, memberId: next.id } }, select: { role: true } })
    await tx.membership.create({ data: { accountId, memberId: previous.accountId, role: 'developer' }, select: { role: true } })
    await tx.invitation.updateMany({ where: { accountId, ...isOpen() }, data: { revokedAt: new Date(clock.now()) } })
    // A checkout of the previous owner may save their card. If it is paid after all, its credits are still added.
    await tx.topUp.updateMany({ where: { accountId, state: 'open', origin: 'checkout' }, data: { state: 'expired' } })
    // Otherwise the previous owner's provider could sign in as the new owner.
    await deleteProvider(tx, { ...accountActor(viewer, asker), accountId })
    await stopCharges(tx, accountId, 'The account was transferred.')
    await markCustomersStale(tx, accountId)
    const change = { before: { owner: previous.publicId }, after: { owner: publicId } }
    await writeAudit(tx, { ...accountActor(viewer, asker), accountId, action: 'owner.change', subject: publicId, ...change })
    await enqueueEmail(tx, 'team', next.email, { change: 'owner', account: { name, email } })
    await enqueueEmail(tx, 'team', previous.email, { change: 'transferred', account: { name, email } })
  })
}

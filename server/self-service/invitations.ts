import { writeAudit } from '#server/accounts/audit.ts'
import { emailFault, readEmail } from '#server/accounts/email-address.ts'
import { hashToken, newToken } from '#server/accounts/encryption.ts'
import { withAccess } from '#server/accounts/member-labels.ts'
import { attempt, limits } from '#server/accounts/throttle.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import { type MemberRole, toLabel } from '#server/api/contract/teams.ts'
import type { Asker, AuthContext } from '#server/auth/auth-context.ts'
import { accountActor, type Viewer } from '#server/auth/viewer.ts'
import { clock } from '#server/clock.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmail } from '#server/email/email.ts'
import { newPublicId } from '#server/ids.ts'
import { getNetwork } from '#server/keys/address-list.ts'
import { isOpen, lockAsOwner, maxMembers } from './team.ts'

const dayMs = 86_400_000
const lifetimeMs = 7 * dayMs
const maxOpen = 20

const getExpiry = () => new Date(clock.now() + lifetimeMs)

/**
 * Rejects an invitation for someone who already has access or an open invitation, or one that exceeds the limit. The account is locked, so concurrent requests
 * can't exceed the limit. @throws FieldsError
 */
async function refuseInvitation(tx: Transaction, accountId: number, email: string): Promise<void> {
  const person = { email, closedAt: null, emailVerifiedAt: { not: null } }
  if ((await tx.account.count({ where: { ...person, ...withAccess(accountId) } })) > 0) throw new FieldsError({ email: 'This person already has access.' })
  const open = { accountId, ...isOpen() }
  if ((await tx.invitation.count({ where: { ...open, email } })) > 0)
    throw new FieldsError({ email: 'This person is already invited. Resend their invitation.' })
  if ((await tx.invitation.count({ where: open })) >= maxOpen)
    throw new FieldsError({ form: `This account already has the maximum of ${maxOpen} open invitations. Revoke one first.` })
}

/**
 * Invites someone to the account by email. The result is the same whether or not the address has an account. @throws AccessError, FieldsError, ThrottledError
 */
export async function invite(deps: AuthContext, asker: Asker, viewer: Viewer, typed: { email: string; role: MemberRole }): Promise<void> {
  const { accountId, publicId: account, member } = viewer
  const email = readEmail(typed.email) ?? ''
  refuseFaults({ email: emailFault(typed.email) })
  await attempt(deps.pool, [limits.invitations, account])
  await inTransaction(deps.pool, async (tx) => {
    await lockAsOwner(tx, viewer)
    await refuseInvitation(tx, accountId, email)
    const publicId = newPublicId('inv')
    const data = { publicId, accountId, email, role: typed.role, invitedById: member.accountId, expiresAt: getExpiry() }
    await tx.invitation.create({ data, select: { id: true } })
    await enqueueEmail(tx, 'invitation', email, { invitation: publicId })
    await writeAudit(tx, { ...accountActor(viewer, asker), accountId, action: 'member.invite', subject: publicId, after: { role: typed.role } })
  })
}

const unknown = () => new RefusedError(refuse('not_found', {}, 'This invitation has expired, or was already accepted or revoked. Reload the page.'))

/** Sends an invitation again, with a new link that works for seven days. The previous link stops working. @throws AccessError, RefusedError, ThrottledError */
export async function resendInvitation(deps: AuthContext, viewer: Viewer, publicId: string): Promise<void> {
  const { accountId, publicId: account } = viewer
  await attempt(deps.pool, [limits.invitations, account])
  await inTransaction(deps.pool, async (tx) => {
    await lockAsOwner(tx, viewer)
    const where = { accountId, publicId, ...isOpen() }
    const invitation = await tx.invitation.findFirst({ where, select: { email: true } })
    if (invitation === null) throw unknown()
    await tx.invitation.updateMany({ where, data: { hash: null, expiresAt: getExpiry() } })
    await enqueueEmail(tx, 'invitation', invitation.email, { invitation: publicId })
  })
}

/** Revokes an invitation. Its link stops working immediately. @throws AccessError, RefusedError */
export async function revokeInvitation(deps: AuthContext, asker: Asker, viewer: Viewer, publicId: string): Promise<void> {
  const { accountId } = viewer
  await inTransaction(deps.pool, async (tx) => {
    await lockAsOwner(tx, viewer)
    const { count } = await tx.invitation.updateMany({ where: { accountId, publicId, ...isOpen() }, data: { revokedAt: new Date(clock.now()) } })
    if (count === 0) throw unknown()
    await writeAudit(tx, { ...accountActor(viewer, asker), accountId, action: 'member.uninvite', subject: publicId })
  })
}

const shown = {
  id: true,
  publicId: true,
  email: true,
  role: true,
  accountId: true,
  invitedById: true,
  account: { select: { publicId: true, name: true, email: true, closedAt: true } },
  invitedBy: { select: { name: true, email: true } },
} as const

async function findInvitation(db: Db, where: { hash: Buffer<ArrayBuffer> } | { publicId: string }) {
  const row = await db.invitation.findFirst({ where: { ...where, ...isOpen() }, select: shown })
  return row?.account.closedAt === null ? row : null
}

/**
 * Creates an invitation's token when its email is rendered, and returns it with the other values of the email. Returns null if the invitation is no longer
 * open. Only a hash of the token is stored.
 */
export async function issueInvitation(db: Database, publicId: string) {
  const row = await findInvitation(db, { publicId })
  if (row === null) return null
  const token = newToken()
  const { count } = await db.invitation.updateMany({ where: { id: row.id, ...isOpen() }, data: { hash: hashToken(token) } })
  return count === 0 ? null : { token, account: row.account, inviter: row.invitedBy.email, role: row.role }
}

/** Looks up an invitation without using it. Returns null if it was accepted or revoked, or has expired, or the token is unknown. */
export async function readInvitation(deps: Pick<AuthContext, 'pool'>, token: string) {
  const row = await findInvitation(deps.pool, { hash: hashToken(token) })
  if (row === null) return null
  return { email: row.email, role: row.role, account: toLabel(row.account), accountPublicId: row.account.publicId, inviter: toLabel(row.invitedBy) }
}

const goneMessage = 'This invitation has expired, been revoked or already been accepted. If you’ve accepted it, sign in. Otherwise, ask for a new one.'

type Joining = { readonly accountId: number; readonly publicId: string }

/**
 * Redeems an invitation: adds the person as a member. They must have confirmed the invited address. Returns the account. If several requests redeem an
 * invitation at the same time, one succeeds. @throws FieldsError
 */
export async function joinWithInvitation(tx: Transaction, asker: Asker, member: Joining, token: string): Promise<number> {
  const known = await findInvitation(tx, { hash: hashToken(token) })
  if (known === null) throw new FieldsError({ form: goneMessage })
  const { accountId } = known
  await lockRows(tx, 'account', [accountId, member.accountId])
  const invitation = await findInvitation(tx, { hash: hashToken(token) })
  if (invitation === null) throw new FieldsError({ form: goneMessage })
  const where = { id: member.accountId, email: invitation.email, emailVerifiedAt: { not: null }, closedAt: null, state: { not: 'blocked' } } as const
  if ((await tx.account.count({ where })) === 0) throw new FieldsError({ form: `This invitation is for ${invitation.email}. Sign in with that address.` })
  await addMember(tx, invitation, member)
  await tx.invitation.updateMany({ where: { id: invitation.id }, data: { acceptedAt: new Date(clock.now()) } })
  const entry = { accountId, action: 'member.join', subject: member.publicId, after: { role: invitation.role } } as const
  await writeAudit(tx, { actor: 'account', address: asker.address, memberId: member.accountId, ...entry })
  return accountId
}

/**
 * Accepts an invitation and switches the session to its account. The user must be signed in with the invited address, which they have confirmed. @throws FieldsError,
 * ThrottledError
 */
export async function acceptInvitation(deps: AuthContext, asker: Asker, { member, sessionId }: Viewer, token: string): Promise<void> {
  await attempt(deps.pool, [limits.links, getNetwork(asker.address)])
  await inTransaction(deps.pool, async (tx) => {
    const accountId = await joinWithInvitation(tx, asker, member, token)
    const actingAccountId = accountId === member.accountId ? null : accountId
    await tx.portalSession.updateMany({ where: { id: sessionId }, data: { actingAccountId } })
  })
}

type Invitation = { readonly accountId: number; readonly role: MemberRole; readonly invitedById: number }

/** Adds a member to a locked account. @throws FieldsError if they already have access, or the account has too many members */
async function addMember(tx: Transaction, { accountId, role, invitedById }: Invitation, member: Joining): Promise<void> {
  const { ownerId } = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { ownerId: true } })
  const memberId = member.accountId
  const hasAccess = (ownerId ?? accountId) === memberId || (await tx.membership.count({ where: { accountId, memberId } })) > 0
  if (hasAccess) throw new FieldsError({ form: 'You already have access to this account.' })
  if ((await tx.membership.count({ where: { accountId } })) >= maxMembers)
    throw new FieldsError({ form: `This account already has the maximum of ${maxMembers} members. Ask its owner to remove one.` })
  await tx.membership.create({ data: { accountId, memberId, role, invitedById }, select: { role: true } })
}

/** Deletes invitations a month after they expire. */
export async function forgetInvitations(db: Database): Promise<void> {
  await db.invitation.deleteMany({ where: { expiresAt: { lt: new Date(clock.now() - 30 * dayMs) } }, limit: 1_000 })
}

import { holdWallet, serviceAccounts } from '#server/accounts/accounts.ts'
import { type Actor, writeAudit } from '#server/accounts/audit.ts'
import { readEmail } from '#server/accounts/email-address.ts'
import { requireMember } from '#server/accounts/permissions.ts'
import { forgetWindows } from '#server/accounts/throttle.ts'
import { refuseFaults } from '#server/api/contract/field-errors.ts'
import { toLabel } from '#server/api/contract/teams.ts'
import type { Asker, AuthContext } from '#server/auth/auth-context.ts'
import { holdCredentials, readCandidates } from '#server/auth/credentials.ts'
import { endOrganisationSessions, forgetSessions } from '#server/auth/sessions.ts'
import { accountActor, type Viewer } from '#server/auth/viewer.ts'
import { closeBilling } from '#server/billing/saved-cards.ts'
import { clock } from '#server/clock.ts'
import { Prisma } from '#server/db/generated/client.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { enqueueEmail } from '#server/email/email.ts'
import { endApprovals } from '#server/keys/application-keys.ts'
import { revokeAllKeys } from '#server/keys/manage-own-keys.ts'
import { forgetInvitations } from './invitations.ts'
import { forgetTokens } from './tokens.ts'

/** Filter for open, unconfirmed accounts with this email. */
const unconfirmed = (email: string) => ({ email, emailVerifiedAt: null, closedAt: null })

/**
 * Locks the wallets of the given accounts and of all unconfirmed accounts with this email, in the order in which charges lock them. Avoids deadlocks if two
 * accounts confirm one email at the same time: the second waits here, before it holds any lock that the first needs. Returns the ids of the accounts whose
 * wallets are locked.
 */
export async function lockContenders(tx: Transaction, accountIds: readonly number[], email: string): Promise<number[]> {
  const others = await tx.account.findMany({ where: unconfirmed(email), select: { id: true } })
  const ids = [...new Set([...accountIds, ...others.map(({ id }) => id)])]
  await lockRows(tx, 'wallet', ids)
  return ids
}

/** Returns the other unconfirmed accounts with this email, among those locked. Accounts that sign up later don't matter: they can't take the email. */
export async function readUnconfirmedDuplicates(tx: Transaction, accountId: number, email: string, held: readonly number[]): Promise<number[]> {
  await lockRows(tx, 'account', held)
  const where = { ...unconfirmed(email), id: { in: [...held], not: accountId } }
  return (await tx.account.findMany({ where, orderBy: { id: 'asc' }, select: { id: true } })).map(({ id }) => id)
}

/** Closes an account and deletes its personal data. The ledger and the request log are kept as financial records. */
export async function emptyAccount(tx: Transaction, accountId: number): Promise<void> {
  const where = { id: accountId }
  await tx.wallet.update({ where: { accountId }, data: { version: { increment: 1 } }, select: { accountId: true } })
  const { publicId } = await tx.account.findUniqueOrThrow({ where, select: { publicId: true } })
  await tx.account.update({
    where,
    data: {
      closedAt: new Date(clock.now()),
      state: 'blocked',
      blockReason: 'The account is closed.',
      blockReasonPrivate: null,
      declinedAt: null,
      declineReason: null,
      email: `closed:${publicId}`,
      name: '',
      purpose: '',
      timeZone: 'UTC',
      passwordHash: null,
      sessionVersion: { increment: 1 },
    },
    select: { id: true },
  })
  await tx.providerIdentity.deleteMany({ where: { accountId } })
  await tx.secondFactor.deleteMany({ where: { accountId } })
  await tx.recoveryCode.deleteMany({ where: { accountId } })
  await tx.emailToken.deleteMany({ where: { accountId } })
  await tx.portalSession.deleteMany({ where: { accountId } })
  await tx.ticket.deleteMany({ where: { accountId } })
  await tx.billingDetails.deleteMany({ where: { accountId } })
  await tx.topUp.updateMany({ where: { accountId, NOT: { billedTo: { equals: Prisma.AnyNull } } }, data: { billedTo: Prisma.DbNull } })
  await leaveTeams(tx, accountId)
}

/** Locks the wallets of an account and of those it is a member of, because closing it ends approvals there too. */
async function holdWallets(tx: Transaction, accountId: number): Promise<void> {
  const teams = await tx.membership.findMany({ where: { memberId: accountId }, select: { accountId: true }, take: 1_000 })
  await holdWallet(tx, accountId, ...teams.map((team) => team.accountId))
}

/**
 * Deletes the members, invitations and single sign-on of an account that is being closed, and its own memberships and linked logins. Applications that it
 * approved in other accounts lose their keys. Sessions that act for it return to their own account; those that began through its provider end.
 */
async function leaveTeams(tx: Transaction, accountId: number): Promise<void> {
  const teams = await tx.membership.findMany({ where: { memberId: accountId }, select: { accountId: true }, take: 1_000 })
  const teamIds = teams.map((team) => team.accountId).toSorted((a, b) => a - b)
  // Approvals lock these accounts too, so a concurrent approval is either ended here or rejected.
  await lockRows(tx, 'account', teamIds)
  await tx.membership.deleteMany({ where: { OR: [{ accountId }, { memberId: accountId }] } })
  for (const teamId of teamIds) await endApprovals(tx, { actor: 'service' }, teamId, accountId)
  await tx.invitation.deleteMany({ where: { accountId } })
  await tx.linkedSignIn.deleteMany({ where: { OR: [{ accountId }, { memberId: accountId }] } })
  await tx.singleSignOn.deleteMany({ where: { accountId } })
  await endOrganisationSessions(tx, accountId)
  await tx.portalSession.updateMany({ where: { actingAccountId: accountId }, data: { actingAccountId: null } })
}

/** Refuses to close an account if its login also owns others, which would be left without an owner. Only that person sees which. @throws FieldsError */
async function refuseOwnerOfOthers(tx: Transaction, { accountId, publicId, member }: Viewer): Promise<void> {
  await lockRows(tx, 'account', [accountId])
  const other = await tx.account.findFirst({ where: { ownerId: accountId, closedAt: null, NOT: { publicId } }, select: { name: true, email: true } })
  const isOwn = member.accountId === accountId
  const fault = (label: string) =>
    isOwn
      ? `You also own ${label}. Transfer or close it first.`
      : "This account can't be closed, because the person who opened it owns another account. Contact support."
  refuseFaults({ form: other === null ? null : fault(toLabel(other)) })
}

const monthMs = 30 * 86_400_000

/**
 * Condition for abandoned accounts, apart from the check for credits: open, more than 30 days old, never confirmed or approved, still on the hobby plan, and
 * with no key used in the last 30 days. Excludes service accounts.
 */
function abandoned(): Prisma.AccountWhereInput {
  const monthAgo = new Date(clock.now() - monthMs)
  return {
    emailVerifiedAt: null,
    closedAt: null,
    createdAt: { lt: monthAgo },
    approvedAt: null,
    plan: 'hobby',
    NOT: serviceAccounts,
    keys: { none: { use: { at: { gt: monthAgo } } } },
  }
}

/** Returns the accounts that never received credits. A separate statement, because a Citus cluster can't join accounts with ledger entries. */
async function withoutCredits(db: Db, accountIds: readonly number[]): Promise<number[]> {
  const entries = await db.ledgerEntry.groupBy({ by: ['accountId'], where: { accountId: { in: [...accountIds] } } })
  const given = new Set(entries.map(({ accountId }) => accountId))
  return accountIds.filter((id) => !given.has(id))
}

/** Closes an account that never confirmed its email. */
async function closeProvisional(client: Transaction, accountId: number): Promise<void> {
  await revokeAllKeys(client, accountId)
  await writeAudit(client, { accountId, actor: 'service', action: 'account.close' })
  await emptyAccount(client, accountId)
}

/** Closes a confirmed account, including its payment authorisations. */
async function closeConfirmed(client: Transaction, accountId: number, by: Actor): Promise<void> {
  await revokeAllKeys(client, accountId)
  await closeBilling(client, accountId)
  await writeAudit(client, { ...by, accountId, action: 'account.close' })
  await emptyAccount(client, accountId)
}

/** Closes unconfirmed accounts with an email that another account has just confirmed. `held` lists the accounts whose wallets are locked. */
export async function closeUnconfirmedDuplicates(client: Transaction, accountId: number, email: string, held: readonly number[]): Promise<void> {
  for (const rival of await readUnconfirmedDuplicates(client, accountId, email, held)) await closeProvisional(client, rival)
}

/** Returns an error unless the typed address is the one that the user signs in with. */
export const ownEmailFault = ({ member }: Viewer, typed: string): string | null =>
  readEmail(typed) === member.email ? null : 'Enter the email address you sign in with.'

/**
 * Closes an account: revokes its keys, sessions and payment authorisations and deletes its personal data. The ledger is kept. Callers must re-authenticate the
 * user first.
 * @throws FieldsError if the typed email is not the one that the user signs in with
 */
export async function closeAccount(deps: AuthContext, asker: Asker, viewer: Viewer, typedEmail: string): Promise<void> {
  refuseFaults({ email: ownEmailFault(viewer, typedEmail) })
  await inTransaction(deps.pool, async (client) => {
    await holdWallets(client, viewer.accountId)
    await requireMember(client, viewer.accountId, viewer.member.accountId, 'security.closeAccount')
    await refuseOwnerOfOthers(client, viewer)
    await closeConfirmed(client, viewer.accountId, accountActor(viewer, asker))
    // An unconfirmed address may belong to someone else.
    if (viewer.isConfirmed) await enqueueEmail(client, 'account-closed', viewer.member.email, { at: new Date(clock.now()).toISOString() })
  })
}

/** Closes the account with this confirmed email, as if its owner had closed it. Returns false if there is none. */
export async function closeForOperator(pool: Database, email: string): Promise<boolean> {
  const { confirmed } = await readCandidates(pool, email)
  if (!confirmed) return false
  return inTransaction(pool, async (client) => {
    const accountId = confirmed.id
    await holdWallets(client, accountId)
    // If several processes start at once, only one closes the account.
    if (!(await holdCredentials(client, accountId))) return false
    await closeConfirmed(client, accountId, { actor: 'operator' })
    return true
  })
}

const batchSize = 100

/** Returns up to `batchSize` abandoned accounts. */
async function findAbandoned(pool: Database): Promise<number[]> {
  const found: number[] = []
  for (let after: number | undefined = 0; after !== undefined && found.length < batchSize; ) {
    const where: Prisma.AccountWhereInput = { ...abandoned(), id: { gt: after } }
    const page = await pool.account.findMany({ where, orderBy: { id: 'asc' }, take: batchSize, select: { id: true } })
    const ids: number[] = page.map(({ id }) => id)
    found.push(...(await withoutCredits(pool, ids)))
    after = ids.length < batchSize ? undefined : ids.at(-1)
  }
  return found.slice(0, batchSize)
}

/** Closes abandoned accounts: more than 30 days old, never confirmed, never given credits, and not used in the last 30 days. */
export async function closeAbandoned({ pool }: Pick<AuthContext, 'pool'>): Promise<void> {
  for (const id of await findAbandoned(pool))
    await inTransaction(pool, async (client) => {
      await holdWallet(client, id)
      await lockRows(client, 'account', [id])
      // The account may have been confirmed, used, given credits or closed in the meantime.
      const isAbandoned = (await client.account.count({ where: { ...abandoned(), id } })) === 1 && (await withoutCredits(client, [id])).length === 1
      if (isAbandoned) await closeProvisional(client, id)
    })
}

/** Deletes ended sessions, expired links, old rate limit windows and abandoned sign-ups. */
export async function cleanUpAuth(pool: Database): Promise<void> {
  await forgetSessions(pool)
  await forgetTokens(pool)
  await forgetInvitations(pool)
  await forgetWindows(pool)
  await closeAbandoned({ pool })
}

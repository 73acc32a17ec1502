import { writeAudit } from '#server/accounts/audit.ts'
import { clock } from '#server/clock.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { randomBase62 } from '#server/ids.ts'
import { type Asker, type AuthContext, type SessionClaims, sessionLimits } from './auth-context.ts'
import { logSecurityEvent } from './security-history.ts'

/** Thrown if a request has no session, or its session has ended. */
export class SignedOutError extends Error {
  override name = 'SignedOutError'

  constructor() {
    super("You've been signed out. Sign in to continue.")
  }
}

const ago = (seconds: number): Date => new Date(clock.now() - seconds * 1_000)

type SessionAccount = { readonly role: 'member' | 'admin'; readonly sessionVersion: number }

/**
 * Returns the version to store in a session's row or cookie. Negative for single sign-on, because earlier releases compare only the version and would otherwise
 * give such a session all of the user's rights.
 */
export const toSessionVersion = (sessionVersion: number, organisationId: number | null): number => (organisationId === null ? sessionVersion : -sessionVersion)

/** Condition for sessions of an account that have neither ended nor expired. */
export function activeSessions({ role, sessionVersion }: SessionAccount): Prisma.PortalSessionWhereInput {
  const { idleSeconds, lifetimeSeconds } = sessionLimits[role]
  const times = { expiresAt: { gt: ago(0) }, seenAt: { gt: ago(idleSeconds) }, createdAt: { gt: ago(lifetimeSeconds) } }
  const own = { organisationId: null, version: toSessionVersion(sessionVersion, null) }
  const limited = { organisationId: { not: null }, version: toSessionVersion(sessionVersion, 0) }
  return { endedAt: null, ...times, OR: [own, limited] }
}

/** Columns of a session that determine whether it is active. */
export const sessionColumns = {
  endedAt: true,
  version: true,
  organisationId: true,
  expiresAt: true,
  seenAt: true,
  createdAt: true,
} as const satisfies Prisma.PortalSessionSelect

type SessionTimes = Prisma.PortalSessionGetPayload<{ select: typeof sessionColumns }>

/** Returns true if a session has neither ended nor expired. */
export function isActive(session: SessionTimes, { role, sessionVersion }: SessionAccount): boolean {
  const { endedAt, version, organisationId, expiresAt, seenAt, createdAt } = session
  const { idleSeconds, lifetimeSeconds } = sessionLimits[role]
  if (endedAt !== null || version !== toSessionVersion(sessionVersion, organisationId)) return false
  return expiresAt > ago(0) && seenAt > ago(idleSeconds) && createdAt > ago(lifetimeSeconds)
}

/** Columns of an account that determine whether its sessions are active. */
export const sessionAccount = { role: true, sessionVersion: true } as const satisfies Prisma.AccountSelect

/** A new session and its account. */
export type SignedIn = { readonly accountPublicId: string; readonly sessionId: string }

/** Identity at an account's provider that a user has linked to their login. */
export type LinkedIdentity = { readonly organisationId: number; readonly issuer: string; readonly clientId: string; readonly subject: string }

/** Details of a sign-in: whether a second-factor code was entered and, for single sign-on, the user's identity at the account's provider. */
export type SignInWay = { readonly hasSecondFactor?: boolean; readonly through?: LinkedIdentity | null }

type SessionOwner = SignInWay & { readonly id: number; readonly publicId: string; readonly sessionVersion: number }

/** Returns true if this exact identity is still linked, and the account still has the same provider. */
async function isLinked(tx: Transaction, memberId: number, { organisationId: accountId, issuer, clientId, subject }: LinkedIdentity): Promise<boolean> {
  return (await tx.linkedSignIn.count({ where: { accountId, memberId, issuer, subject, singleSignOn: { issuer, clientId } } })) === 1
}

/**
 * Maximum concurrent sessions of a user, counted separately for their own login and for each organisation's provider. The device list shows every session of
 * the user's own login.
 */
export const maxSessions = 50

/**
 * Creates a session and ends the least recently used ones over the limit. Returns null if all of the account's sessions have been ended since its version was
 * read, or the identity with which the person signed in is no longer linked.
 */
export async function beginSession(deps: AuthContext, asker: Asker, account: SessionOwner): Promise<SignedIn | null> {
  const id = `ses_${randomBase62(24)}`
  const { lifetimeSeconds } = sessionLimits.member
  const { id: accountId, sessionVersion, hasSecondFactor = false, through = null } = account
  const organisationId = through?.organisationId ?? null
  const isBegun = await inTransaction(deps.pool, async (tx) => {
    await lockRows(tx, 'account', organisationId === null ? [accountId] : [accountId, organisationId])
    if (through !== null && !(await isLinked(tx, accountId, through))) return false
    // A sign-in that began with the old password must not succeed after the password has been changed.
    if ((await tx.account.count({ where: { id: accountId, sessionVersion, closedAt: null } })) === 0) return false
    const secondFactorAt = hasSecondFactor ? ago(0) : null
    const version = toSessionVersion(sessionVersion, organisationId)
    const times = { expiresAt: ago(-lifetimeSeconds), secondFactorAt }
    await tx.portalSession.create({ data: { id, accountId, version, organisationId, ...times, ...asker }, select: { id: true } })
    await endOldestSessions(tx, accountId, organisationId)
    return true
  })
  return isBegun ? { accountPublicId: account.publicId, sessionId: id } : null
}

/** Ends the least recently used sessions over the limit. An organisation's sessions are counted separately, so that they can't end the person's own. */
async function endOldestSessions(tx: Transaction, accountId: number, organisationId: number | null): Promise<void> {
  const account = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: sessionAccount })
  const where = { accountId, organisationId, ...activeSessions(account) }
  const surplus = await tx.portalSession.findMany({
    where,
    orderBy: [{ seenAt: 'desc' }, { id: 'asc' }],
    skip: maxSessions,
    take: maxSessions,
    select: { id: true },
  })
  if (surplus.length > 0) await tx.portalSession.updateMany({ where: { id: { in: surplus.map((row) => row.id) } }, data: { endedAt: ago(0) } })
}

/** Ends the session of a browser that signs out or signs in again. */
export async function endBrowserSession(deps: AuthContext, asker: Asker, claims: SessionClaims | null): Promise<void> {
  const { sub, sid } = claims ?? {}
  if (typeof sub !== 'string' || typeof sid !== 'string') return
  await inTransaction(deps.pool, async (client) => {
    const account = await client.account.findUnique({ where: { publicId: sub }, select: { id: true, ...sessionAccount } })
    if (account === null) return
    const accountId = account.id
    const { count } = await client.portalSession.updateMany({ where: { id: sid, accountId, ...activeSessions(account) }, data: { endedAt: ago(0) } })
    if (count === 0) return
    await writeAudit(client, { accountId, actor: 'account', action: 'session.end', subject: sid, address: asker.address })
    logSecurityEvent(deps, asker, 'session.end', sub)
  })
}

/** A session and its account. */
type OwnSession = { readonly accountId: number; readonly sessionId: string }

/**
 * Locks the account of a signed-in user. The session was checked before the lock was acquired, so it is checked again: if a password reset has ended the
 * session in the meantime, that session must not undo the reset. @throws SignedOutError
 */
export async function lockOwnAccount(tx: Transaction, { accountId, sessionId }: OwnSession): Promise<void> {
  await lockRows(tx, 'account', [accountId])
  const account = await tx.account.findFirst({ where: { id: accountId, closedAt: null }, select: sessionAccount })
  const isActive = account !== null && (await tx.portalSession.count({ where: { id: sessionId, accountId, ...activeSessions(account) } })) === 1
  if (!isActive) throw new SignedOutError()
}

/** Ends all sessions of an account, including those being created, except the one to keep. Runs in the transaction of the change that requires it. */
export async function endAllSessions(client: Transaction, accountId: number, keptSessionId: string | null): Promise<void> {
  const data = { sessionVersion: { increment: 1 } }
  const { sessionVersion } = await client.account.update({ where: { id: accountId }, data, select: { sessionVersion: true } })
  if (keptSessionId !== null) await client.portalSession.updateMany({ where: { id: keptSessionId, organisationId: null }, data: { version: sessionVersion } })
}

/**
 * Ends the sessions that began through the provider of an account: those of one person, or of everyone. The account must be locked, so that none begins in the
 * meantime.
 */
export async function endOrganisationSessions(tx: Transaction, organisationId: number, memberId?: number): Promise<void> {
  const where = { organisationId, endedAt: null, ...(memberId === undefined ? {} : { accountId: memberId }) }
  await tx.portalSession.updateMany({ where, data: { endedAt: ago(0) } })
}

/** Minimum interval between updates of a session's last-used time. */
const lastUseIntervalSeconds = 300

/** Records the last use of a session, at most once per interval, even with concurrent requests. */
export async function touchSession(db: Db, { id, seenAt }: { readonly id: string; readonly seenAt: Date }, address: string | null): Promise<void> {
  const before = ago(lastUseIntervalSeconds)
  if (seenAt >= before) return
  await db.portalSession.updateMany({ where: { id, seenAt: { lt: before } }, data: { seenAt: ago(0), ...(address === null ? {} : { address }) } })
}

const keptSeconds = 30 * 86_400

/** Deletes sessions that ended or expired more than 30 days ago. */
export async function forgetSessions(db: Database): Promise<void> {
  const before = ago(keptSeconds)
  await db.portalSession.deleteMany({ where: { OR: [{ endedAt: { lt: before } }, { endedAt: null, expiresAt: { lt: before } }] }, limit: 1_000 })
}

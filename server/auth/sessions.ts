import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { randomBase62 } from '#server/ids.ts'
import { type Asker, type AuthContext, type SessionClaims, sessionLimits } from './auth-context.ts'
import { logSecurityEvent } from './security-history.ts'
import { endOldestSessions, endOneSession, endSessionOfCookie, endSessions, insertSession, keepSession, readSessions } from './sessions.store.ts'
import type { Viewer } from './viewer.ts'

/** A new session and its account. */
export type SignedIn = { readonly accountPublicId: string; readonly sessionId: string }

type SessionOwner = {
  readonly id: number
  readonly publicId: string
  readonly sessionVersion: number
  /** True if a code was entered for this sign-in. */
  readonly hasSecondFactor?: boolean
}

/** Maximum concurrent sessions of an account, which are all shown in its device list. */
const maxSessions = 50

/**
 * Creates a session and ends the least recently used ones over the limit. Returns null if all of the account's sessions were ended since its version was read.
 */
export async function beginSession(deps: AuthContext, asker: Asker, account: SessionOwner): Promise<SignedIn | null> {
  const id = `ses_${randomBase62(24)}`
  const { lifetimeSeconds } = sessionLimits.member
  const { id: accountId, sessionVersion: version, hasSecondFactor = false } = account
  const isBegun = await insertSession(deps.pool, { id, accountId, version, hasSecondFactor, lifetimeSeconds, ...asker })
  if (isBegun) await endOldestSessions(deps.pool, account.id, maxSessions)
  return isBegun ? { accountPublicId: account.publicId, sessionId: id } : null
}

export type SessionLine = {
  readonly id: string
  readonly createdAt: Date
  readonly seenAt: Date
  readonly address: string | null
  readonly agent: string
  readonly isThis: boolean
}

/** Returns an account's active sessions, most recently used first. */
export async function getSessions(deps: AuthContext, accountId: number, thisSession: string): Promise<SessionLine[]> {
  const rows = await readSessions(deps.pool, accountId, maxSessions)
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    address: row.address,
    agent: row.agent,
    isThis: row.id === thisSession,
  }))
}

/** Signs out one device. Returns false if the account has no such session. */
export async function endSession(deps: AuthContext, asker: Asker, accountId: number, sessionId: string): Promise<boolean> {
  return inTransaction(deps.pool, async (client) => {
    const isEnded = await endOneSession(client, accountId, sessionId)
    if (!isEnded) return false
    await writeAudit(client, { accountId, actor: 'account', action: 'session.end', subject: sessionId, address: asker.address })
    logSecurityEvent(deps, asker, 'session.end', accountId)
    return true
  })
}

/** Ends the session of a browser that signs out or signs in again. */
export async function endBrowserSession(deps: AuthContext, asker: Asker, claims: SessionClaims | null): Promise<void> {
  const { sub, sid } = claims ?? {}
  if (typeof sub !== 'string' || typeof sid !== 'string') return
  await inTransaction(deps.pool, async (client) => {
    const accountId = await endSessionOfCookie(client, sid, sub)
    if (accountId === null) return
    await writeAudit(client, { accountId, actor: 'account', action: 'session.end', subject: sid, address: asker.address })
    logSecurityEvent(deps, asker, 'session.end', sub)
  })
}

/** Ends all sessions as part of another change, except the one to keep. */
export async function endAllSessions(client: Transaction, accountId: number, keptSessionId: string | null): Promise<void> {
  const version = await endSessions(client, accountId)
  if (keptSessionId !== null) await keepSession(client, keptSessionId, version)
}

/** Signs out all devices, including this one. */
export async function signOutEverywhere(deps: AuthContext, asker: Asker, accountId: number): Promise<void> {
  await inTransaction(deps.pool, async (client) => {
    await endAllSessions(client, accountId, null)
    await writeAudit(client, { accountId, actor: 'account', action: 'session.end-all', address: asker.address })
    logSecurityEvent(deps, asker, 'session.end-all', accountId)
  })
}

/** Signs an account out everywhere, as an administrator. @throws FieldsError if it is not signed in anywhere */
export async function endSessionsAsAdmin({ pool }: Pick<AuthContext, 'pool'>, by: AdminActor, accountId: number): Promise<void> {
  await inTransaction(pool, async (client) => {
    if ((await readSessions(client, accountId, 1)).length === 0) throw new FieldsError({ form: "This account isn't signed in anywhere." })
    await endAllSessions(client, accountId, null)
    await writeAudit(client, { ...by, accountId, action: 'session.end-all' })
  })
}

/** Details of the signed-in user that pages can show. */
type SessionSummary = Pick<Viewer, 'email' | 'name' | 'plan' | 'state' | 'isAdmin' | 'isConfirmed'>

export function readSessionSummary(viewer: Viewer | null): SessionSummary | null {
  if (viewer === null) return null
  const { email, name, plan, state, isAdmin, isConfirmed } = viewer
  return { email, name, plan, state, isAdmin, isConfirmed }
}

/** Signs out one of the viewer's devices. @throws RefusedError not_found, also for another account's session */
export async function endOwnSession(deps: AuthContext, asker: Asker, viewer: Viewer, id: string): Promise<void> {
  if (!(await endSession(deps, asker, viewer.accountId, id))) throw new RefusedError(refuse('not_found', {}, 'There is no such session.'))
}

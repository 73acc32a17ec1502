import type { PoolClient } from 'pg'
import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { randomBase62 } from '#server/ids.ts'
import type { Asker, AuthRoom } from './auth-room.ts'
import { cookieKinds, openCookie } from './cookies.ts'
import { logSecurityEvent } from './security-history.ts'
import { endOldestSessions, endOneSession, endSessionOfCookie, endSessions, insertSession, keepSession, readSessions } from './sessions.store.ts'

/** A sign-in: which session of which account. This is all that the cookie says. */
export type SignedIn = { readonly accountPublicId: string; readonly sessionId: string }

type Beginner = {
  readonly id: number
  readonly publicId: string
  readonly sessionVersion: number
  /** True if a code was entered for this sign-in. */
  readonly hasSecondFactor?: boolean
}

/** So many sign-ins of an account hold at a time. All of them are in its list of devices. */
const mostHeld = 50

/** Begins a session, and ends those that were used least lately when there are too many; null when all sessions of the account were ended since its version was read. */
export async function beginSession(room: AuthRoom, asker: Asker, account: Beginner): Promise<SignedIn | null> {
  const id = `ses_${randomBase62(24)}`
  const { lifetimeSeconds } = cookieKinds.session
  const { id: accountId, sessionVersion: version, hasSecondFactor = false } = account
  const isBegun = await insertSession(room.pool, { id, accountId, version, hasSecondFactor, lifetimeSeconds, ...asker })
  if (isBegun) await endOldestSessions(room.pool, account.id, mostHeld)
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

/** The sessions of an account that hold, the last used first. */
export async function sessionsOf(room: AuthRoom, accountId: number, thisSession: string): Promise<SessionLine[]> {
  const rows = await readSessions(room.pool, accountId, mostHeld)
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    address: row.address,
    agent: row.agent,
    isThis: row.id === thisSession,
  }))
}

/** Signs one device out. False when the account has no such session. */
export async function endSession(room: AuthRoom, asker: Asker, accountId: number, sessionId: string): Promise<boolean> {
  return inTransaction(room.pool, async (client) => {
    const isEnded = await endOneSession(client, accountId, sessionId)
    if (!isEnded) return false
    await writeAudit(client, { accountId, actor: 'account', action: 'session.end', subject: sessionId, address: asker.address })
    logSecurityEvent(room, asker, 'session.end', accountId)
    return true
  })
}

/** Ends the session that a browser brings to a new sign-in: its cookie is about to be replaced. */
export async function endReplacedSession(room: AuthRoom, asker: Asker, cookie: string | undefined): Promise<void> {
  const claims = await openCookie(room, 'session', cookie)
  if (claims === null) return
  await inTransaction(room.pool, async (client) => {
    const accountId = await endSessionOfCookie(client, claims.sid, claims.sub)
    if (accountId === null) return
    await writeAudit(client, { accountId, actor: 'account', action: 'session.end', subject: claims.sid, address: asker.address })
    logSecurityEvent(room, asker, 'session.end', claims.sub)
  })
}

/** Ends every session within a change that has to; the one that asks may stay. */
export async function endAllSessions(client: PoolClient, accountId: number, stays: string | null): Promise<void> {
  const version = await endSessions(client, accountId)
  if (stays !== null) await keepSession(client, stays, version)
}

/** Signs every device out, this one too. */
export async function signOutEverywhere(room: AuthRoom, asker: Asker, accountId: number): Promise<void> {
  await inTransaction(room.pool, async (client) => {
    await endAllSessions(client, accountId, null)
    await writeAudit(client, { accountId, actor: 'account', action: 'session.end-all', address: asker.address })
    logSecurityEvent(room, asker, 'session.end-all', accountId)
  })
}

/** Signs an account out everywhere, from the desk. @throws FieldsError when it is signed in nowhere */
export async function endSessionsAsAdmin({ pool }: Pick<AuthRoom, 'pool'>, by: AdminActor, accountId: number): Promise<void> {
  await inTransaction(pool, async (client) => {
    if ((await readSessions(client, accountId, 1)).length === 0) throw new FieldsError({ form: 'This account is signed in nowhere.' })
    await endAllSessions(client, accountId, null)
    await writeAudit(client, { ...by, accountId, action: 'session.end-all' })
  })
}

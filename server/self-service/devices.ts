import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { Asker, AuthContext } from '#server/auth/auth-context.ts'
import { logSecurityEvent } from '#server/auth/security-history.ts'
import { activeSessions, endAllSessions, maxSessions, sessionAccount } from '#server/auth/sessions.ts'
import { clock } from '#server/clock.ts'
import type { Db } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'

/** Returns an account's active sessions, most recently used first. Those that began through providers of organisations can't displace the others. */
export async function getSessions({ pool }: { readonly pool: Db }, accountId: number, thisSession: string) {
  const account = await pool.account.findUniqueOrThrow({ where: { id: accountId }, select: sessionAccount })
  const select = { id: true, createdAt: true, seenAt: true, address: true, agent: true } as const
  const where = { accountId, ...activeSessions(account) }
  const page = { orderBy: { seenAt: 'desc' }, take: maxSessions, select } as const
  const own = await pool.portalSession.findMany({ where: { ...where, organisationId: null }, ...page })
  const limited = await pool.portalSession.findMany({ where: { ...where, organisationId: { not: null } }, ...page })
  const rows = [...own, ...limited].sort((one, other) => other.seenAt.getTime() - one.seenAt.getTime())
  return rows.map((row) => ({ ...row, isThis: row.id === thisSession }))
}

/** Signs out one of the viewer's devices. @throws RefusedError not_found, also for another account's session */
export async function endOwnSession(deps: AuthContext, asker: Asker, { accountId }: { readonly accountId: number }, sessionId: string): Promise<void> {
  await inTransaction(deps.pool, async (client) => {
    const { count } = await client.portalSession.updateMany({ where: { id: sessionId, accountId, endedAt: null }, data: { endedAt: new Date(clock.now()) } })
    if (count === 0) throw new RefusedError(refuse('not_found', {}, 'This device is already signed out. Reload the page.'))
    await writeAudit(client, { accountId, actor: 'account', action: 'session.end', subject: sessionId, address: asker.address })
    logSecurityEvent(deps, asker, 'session.end', accountId)
  })
}

/** Signs out all devices, including this one. */
export async function signOutEverywhere(deps: AuthContext, asker: Asker, accountId: number): Promise<void> {
  await inTransaction(deps.pool, async (client) => {
    await endAllSessions(client, accountId, null)
    await writeAudit(client, { accountId, actor: 'account', action: 'session.end-all', address: asker.address })
    logSecurityEvent(deps, asker, 'session.end-all', accountId)
  })
}

/** Signs out all devices but this one. */
export async function signOutOthers(
  deps: AuthContext,
  asker: Asker,
  { accountId, sessionId }: { readonly accountId: number; readonly sessionId: string },
): Promise<void> {
  await inTransaction(deps.pool, async (client) => {
    await endAllSessions(client, accountId, sessionId)
    await writeAudit(client, { accountId, actor: 'account', action: 'session.end-others', address: asker.address })
    logSecurityEvent(deps, asker, 'session.end-others', accountId)
  })
}

/** Signs an account out everywhere, as an administrator. @throws FieldsError if it is not signed in anywhere */
export async function endSessionsAsAdmin({ pool }: Pick<AuthContext, 'pool'>, by: AdminActor, accountId: number): Promise<void> {
  await inTransaction(pool, async (client) => {
    if ((await getSessions({ pool: client }, accountId, '')).length === 0) throw new FieldsError({ form: "This account isn't signed in anywhere." })
    await endAllSessions(client, accountId, null)
    await writeAudit(client, { ...by, accountId, action: 'session.end-all' })
  })
}

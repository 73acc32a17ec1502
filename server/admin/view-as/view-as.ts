import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { AuthContext } from '#server/auth/auth-context.ts'
import { isActive, sessionAccount, sessionColumns } from '#server/auth/sessions.ts'
import { type Viewer, viewedAccount } from '#server/auth/viewer.ts'
import { clock } from '#server/clock.ts'
import { lockRows } from '#server/db/locks.sql.ts'
import type { Database } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'

/** Minutes after which a view-as session expires. */
const viewAsMinutes = 30

/** View-as session, in which an administrator sees a customer's portal. */
export type ViewAsSession = {
  readonly publicId: string
  readonly endsAt: Date
  /** Account that queries run as; null once the session has expired, after which queries are rejected. */
  readonly as: Viewer | null
}

/** Thrown for a request that is not allowed in a view-as session. The message says why. */
export class ViewAsError extends Error {
  override name = 'ViewingError'
}

/** Returns the current view-as session, or null if the user sees their own portal. */
export async function getViewAs(deps: AuthContext, viewer: Viewer | null): Promise<ViewAsSession | null> {
  if (viewer === null || viewer.viewing === null) return null
  const { accountId, publicId, endsAt, isOver } = viewer.viewing
  return { publicId, endsAt, as: isOver ? null : await viewedAccount(deps, viewer, accountId) }
}

/** Returns the account that a query runs as during a view-as session. @throws ViewAsError for mutations, and once the session has expired */
export function askedAs({ publicId, as }: ViewAsSession, isQuestion: boolean): Viewer {
  if (as === null) throw new ViewAsError(`Your session viewing as ${publicId} has expired. Stop viewing to return to your own portal.`)
  if (!isQuestion) throw new ViewAsError(`You are viewing as ${publicId}. You can't change anything.`)
  return as
}

/**
 * Checks whether an account can be viewed in a view-as session. `isOwn` is true for the administrator's own account, which can't be viewed.
 * @throws RefusedError not_found if the account is closed
 */
export async function viewable(deps: AuthContext, viewer: Viewer, accountId: number): Promise<{ isOwn: boolean; minutes: number; email: string }> {
  const viewed = await viewedAccount(deps, viewer, accountId)
  if (viewed === null) throw new RefusedError(refuse('not_found', {}, 'Account not found. It may have been closed.'))
  return { isOwn: accountId === viewer.accountId, minutes: viewAsMinutes, email: viewed.email }
}

/** Starts a view-as session for an account, ending the current one. @throws FieldsError */
export async function beginViewAs(
  { pool }: Pick<AuthContext, 'pool'>,
  by: AdminActor,
  { sessionId, accountId: own }: Viewer,
  accountId: number,
): Promise<void> {
  if (accountId === own) throw new FieldsError({ form: 'This is your own account. Its portal is at /portal.' })
  await inTransaction(pool, async (tx) => {
    await lockRows(tx, 'portal_session', [sessionId])
    const now = clock.now()
    const select = { accountId: true, endsAt: true, notifiedAt: true } as const
    const before = await tx.viewAs.findUnique({ where: { sessionId }, select })
    const isOpen = (await tx.account.count({ where: { id: accountId, closedAt: null } })) === 1
    if (!isOpen || (before?.accountId === accountId && before.endsAt.getTime() > now))
      throw new FieldsError({ form: 'You are already viewing as this account, or the account is closed.' })
    const endsAt = new Date(now + viewAsMinutes * 60_000)
    const data = { accountId, endsAt, notifiedAt: null }
    await tx.viewAs.upsert({ where: { sessionId }, create: { sessionId, ...data }, update: data, select: { sessionId: true } })
    if (before?.notifiedAt === null) await writeAudit(tx, { ...by, reason: 'Switched to another account.', accountId: before.accountId, action: 'viewing.end' })
    await writeAudit(tx, { ...by, accountId, action: 'viewing.begin', after: { endsAt: endsAt.toISOString() } })
  })
}

/** Ends the current view-as session. @throws FieldsError */
export async function endViewAs({ pool }: Pick<AuthContext, 'pool'>, by: AdminActor, { sessionId }: Viewer): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await lockRows(tx, 'portal_session', [sessionId])
    const viewed = await tx.viewAs.findUnique({ where: { sessionId }, select: { accountId: true } })
    if (viewed === null) throw new FieldsError({ form: "You aren't viewing as another account." })
    await tx.viewAs.delete({ where: { sessionId }, select: { sessionId: true } })
    await writeAudit(tx, { ...by, accountId: viewed.accountId, action: 'viewing.end' })
  })
}

const batchSize = 500

/** Writes an audit entry for each view-as session that the administrator did not end, because it expired or the administrator was signed out. */
export async function notifyExpiredViews(pool: Database): Promise<void> {
  const session = { select: { ...sessionColumns, account: { select: { publicId: true, ...sessionAccount } } } }
  const select = { sessionId: true, accountId: true, endsAt: true, session }
  const views = await pool.viewAs.findMany({ where: { notifiedAt: null }, orderBy: { endsAt: 'asc' }, take: batchSize, select })
  const expired = views.filter((view) => view.endsAt.getTime() <= clock.now() || !isActive(view.session, view.session.account))
  for (const { sessionId, accountId, endsAt, session } of expired)
    await inTransaction(pool, async (tx) => {
      // By now, another process may have recorded the expiry, or the administrator may have switched to another account.
      const { count } = await tx.viewAs.updateMany({ where: { sessionId, accountId, endsAt, notifiedAt: null }, data: { notifiedAt: new Date(clock.now()) } })
      const after = { endsAt: endsAt.toISOString() }
      if (count === 1) await writeAudit(tx, { actor: 'service', accountId, action: 'viewing.lapse', subject: session.account.publicId, after })
    })
}

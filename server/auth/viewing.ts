import { type AdminActor, writeAudit } from '#server/accounts/audit.ts'
import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { AuthRoom } from './auth-room.ts'
import { type Viewer, viewedAccount } from './viewer.ts'
import { deleteViewing, holdUntold, writeViewing } from './viewing.store.ts'

/** A view ends by itself after so long. */
const viewingMinutes = 30

/** The portal of somebody else, as an administrator looks at it. */
export type Viewing = {
  readonly publicId: string
  readonly endsAt: Date
  /** As whom questions are answered; null: the view is over, and nothing is. */
  readonly as: Viewer | null
}

/** What was asked for is not done in the portal of somebody else; the message says why. */
export class ViewingError extends Error {
  override name = 'ViewingError'
}

/** The view that the viewer is in; null: the portal is the own one. */
export async function viewingOf(room: AuthRoom, viewer: Viewer | null): Promise<Viewing | null> {
  if (viewer === null || viewer.viewing === null) return null
  const { accountId, publicId, endsAt, isOver } = viewer.viewing
  return { publicId, endsAt, as: isOver ? null : await viewedAccount(room, viewer, accountId) }
}

/** As whom a question is answered within a view. @throws ViewingError for all but questions, and when the view is over */
export function askedAs({ publicId, as }: Viewing, isQuestion: boolean): Viewer {
  if (as === null) throw new ViewingError(`Your view of ${publicId} is over. Leave it to go back to your own portal.`)
  if (!isQuestion) throw new ViewingError(`You see this portal as ${publicId} does. Nothing can be changed.`)
  return as
}

/** Whether the portal of an account can be looked at: not the own one, and none of an account that is closed. @throws RefusedError not_found */
export async function viewable(room: AuthRoom, viewer: Viewer, accountId: number): Promise<{ isOwn: boolean; minutes: number; email: string }> {
  const viewed = await viewedAccount(room, viewer, accountId)
  if (viewed === null) throw new RefusedError(refuse('not_found', {}, 'There is no such account.'))
  return { isOwn: accountId === viewer.accountId, minutes: viewingMinutes, email: viewed.email }
}

/** Begins to look at the portal of an account; what was looked at before is left. @throws FieldsError */
export async function beginViewing({ pool }: Pick<AuthRoom, 'pool'>, by: AdminActor, { sessionId, accountId: own }: Viewer, accountId: number): Promise<void> {
  if (accountId === own) throw new FieldsError({ form: 'This is your own account. Its portal is at /portal.' })
  await inTransaction(pool, async (client) => {
    const before = await holdUntold(client, sessionId)
    const endsAt = await writeViewing(client, sessionId, accountId, viewingMinutes)
    if (endsAt === null) throw new FieldsError({ form: 'You look at this portal already, or the account is closed.' })
    if (before !== null) await writeAudit(client, { ...by, reason: 'Turned to another view.', accountId: before, action: 'viewing.end' })
    await writeAudit(client, { ...by, accountId, action: 'viewing.begin', after: { endsAt: endsAt.toISOString() } })
  })
}

/** Goes back to the own portal. @throws FieldsError */
export async function endViewing({ pool }: Pick<AuthRoom, 'pool'>, by: AdminActor, { sessionId }: Viewer): Promise<void> {
  await inTransaction(pool, async (client) => {
    const accountId = await deleteViewing(client, sessionId)
    if (accountId === null) throw new FieldsError({ form: 'You look at your own portal already.' })
    await writeAudit(client, { ...by, accountId, action: 'viewing.end' })
  })
}

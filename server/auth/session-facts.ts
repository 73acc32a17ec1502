import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import type { Asker, AuthRoom } from './auth-room.ts'
import { endSession } from './sessions.ts'
import type { Viewer } from './viewer.ts'

/** Details of the signed-in user that pages can show. */
export type SessionFacts = Pick<Viewer, 'email' | 'name' | 'plan' | 'state' | 'isAdmin' | 'isConfirmed'>

export function sessionFacts(viewer: Viewer | null): SessionFacts | null {
  if (viewer === null) return null
  const { email, name, plan, state, isAdmin, isConfirmed } = viewer
  return { email, name, plan, state, isAdmin, isConfirmed }
}

/** Signs out one of the viewer's devices. @throws RefusedError not_found, also for another account's session */
export async function endSessionOf(room: AuthRoom, asker: Asker, viewer: Viewer, id: string): Promise<void> {
  if (!(await endSession(room, asker, viewer.accountId, id))) throw new RefusedError(refuse('not_found', {}, 'There is no such session.'))
}

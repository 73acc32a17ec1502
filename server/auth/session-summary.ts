import { RefusedError, refuse } from '#server/api/contract/errors.ts'
import type { Asker, AuthContext } from './auth-context.ts'
import { endSession } from './sessions.ts'
import type { Viewer } from './viewer.ts'

/** Details of the signed-in user that pages can show. */
export type SessionSummary = Pick<Viewer, 'email' | 'name' | 'plan' | 'state' | 'isAdmin' | 'isConfirmed'>

export function readSessionSummary(viewer: Viewer | null): SessionSummary | null {
  if (viewer === null) return null
  const { email, name, plan, state, isAdmin, isConfirmed } = viewer
  return { email, name, plan, state, isAdmin, isConfirmed }
}

/** Signs out one of the viewer's devices. @throws RefusedError not_found, also for another account's session */
export async function endOwnSession(deps: AuthContext, asker: Asker, viewer: Viewer, id: string): Promise<void> {
  if (!(await endSession(deps, asker, viewer.accountId, id))) throw new RefusedError(refuse('not_found', {}, 'There is no such session.'))
}

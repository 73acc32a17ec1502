import { sharedService } from '../service-slot.ts'
import { cookieName } from './cookies.ts'
import { viewerOf } from './viewer.ts'

/**
 * Whether a request comes from an administrator, by the cookie of its session. On a host that only runs Next there is no service to ask yet; the frame of the
 * desk decides there.
 */
export async function isAtDesk(cookie: (name: string) => string | undefined): Promise<boolean> {
  const room = sharedService()?.auth
  if (room === undefined) return true
  const viewer = await viewerOf(room, { address: null, agent: '' }, cookie(cookieName(room, 'session')))
  return viewer?.isAdmin === true && viewer.state !== 'blocked'
}

import { sharedService } from '../service-slot.ts'
import { cookieName } from './cookies.ts'
import { viewerOf } from './viewer.ts'

/**
 * Whether a request comes from an administrator, by the cookie of its session. Where no service runs in this process yet nobody can have signed in.
 */
export async function isAtDesk(cookie: (name: string) => string | undefined): Promise<boolean> {
  const room = sharedService()?.auth
  if (room === undefined) return false
  const viewer = await viewerOf(room, { address: null, agent: '' }, cookie(cookieName(room, 'session')))
  return viewer?.isAdmin === true && viewer.state !== 'blocked'
}

import { sharedService } from '#server/runtime/service-slot.ts'
import type { AuthRoom } from './auth-room.ts'
import { cookieName, openCookie } from './cookies.ts'
import { logRefusedAdmin } from './security-history.ts'
import { hasAdministrator } from './sessions.store.ts'
import { viewerOf } from './viewer.ts'

type Cookie = (name: string) => string | undefined

/** Whether an administrator was signed in with this browser, by what it keeps of its sign-ins. */
async function hadAdminSession(room: AuthRoom, cookie: Cookie): Promise<boolean> {
  const session = await openCookie(room, 'session', cookie(cookieName(room, 'session')))
  const device = await openCookie(room, 'device', cookie(cookieName(room, 'device')))
  const accounts = [...(session ? [session.sub] : []), ...(device?.accounts ?? [])]
  return accounts.length > 0 && hasAdministrator(room.pool, accounts)
}

/** A request for the admin area. */
export type AdminRequest = { readonly method: string; readonly path: string; readonly address: string | null; readonly cookie: Cookie }

/**
 * Whether the way to the desk is open to a request: it comes from an administrator, by the cookie of its session. Where no service runs in this process yet
 * nobody can have signed in. A refusal is logged. A form comes through as well from an administrator's browser that is signed out by now, to be told so: its procedure does nothing.
 */
export async function isAdminRequestAllowed({ method, path, address, cookie }: AdminRequest): Promise<boolean> {
  const room = sharedService()?.auth
  if (room === undefined) return false
  const viewer = await viewerOf(room, { address, agent: '' }, cookie(cookieName(room, 'session')))
  const isOpen = viewer === null ? method === 'POST' && (await hadAdminSession(room, cookie)) : viewer.isAdmin && viewer.state !== 'blocked'
  if (!isOpen) logRefusedAdmin(room, address, viewer?.publicId ?? null, path)
  return isOpen
}

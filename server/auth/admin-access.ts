import { sharedService } from '#server/runtime/service-slot.ts'
import type { AuthContext } from './auth-context.ts'
import { cookieName, openCookie } from './cookies.ts'
import { logRefusedAdmin } from './security-history.ts'
import { hasAdministrator } from './sessions.store.ts'
import { getViewer } from './viewer.ts'

type Cookie = (name: string) => string | undefined

/** Returns true if an administrator has signed in with this browser, according to its session and device cookies. */
async function hadAdminSession(deps: AuthContext, cookie: Cookie): Promise<boolean> {
  const session = await openCookie(deps, 'session', cookie(cookieName(deps, 'session')))
  const device = await openCookie(deps, 'device', cookie(cookieName(deps, 'device')))
  const accounts = [...(session ? [session.sub] : []), ...(device?.accounts ?? [])]
  return accounts.length > 0 && hasAdministrator(deps.pool, accounts)
}

export type AdminRequest = { readonly method: string; readonly path: string; readonly address: string | null; readonly cookie: Cookie }

/**
 * Returns true if the request has an admin session. Returns false if no service runs in this process yet, because then no one can have signed in. Refusals are
 * logged. POST requests from a browser in which an administrator was signed in pass too, so that a form can report the expired session; the procedure itself is
 * protected separately.
 */
export async function isAdminRequestAllowed({ method, path, address, cookie }: AdminRequest): Promise<boolean> {
  const deps = sharedService()?.auth
  if (deps === undefined) return false
  const viewer = await getViewer(deps, { address, agent: '' }, cookie(cookieName(deps, 'session')))
  const isOpen = viewer === null ? method === 'POST' && (await hadAdminSession(deps, cookie)) : viewer.isAdmin && viewer.state !== 'blocked'
  if (!isOpen) logRefusedAdmin(deps, address, viewer?.publicId ?? null, path)
  return isOpen
}

import { sharedService } from '#server/runtime/service-slot.ts'
import { auth, currentClaims } from './auth.ts'
import type { AuthContext } from './auth-context.ts'
import { currentAsker, currentCookie } from './current-request.ts'
import { logRefusedAdmin } from './security-history.ts'

/** Returns true if an administrator has signed in with this browser, according to its session and device cookies. */
async function hadAdminSession(deps: AuthContext): Promise<boolean> {
  const [claims, device] = [await currentClaims(), await currentCookie('device')]
  const accounts = [claims?.sub, ...(device?.accounts ?? [])].filter((account) => typeof account === 'string')
  if (accounts.length === 0) return false
  return (await deps.pool.account.count({ where: { publicId: { in: accounts }, role: 'admin', closedAt: null } })) > 0
}

/**
 * Returns true if the request has an admin session. Returns false if no service runs in this process yet, because then no one can have signed in. Refusals are
 * logged. A POST request from a browser in which an administrator was signed in also passes, so that the form can report the expired session; the procedure has
 * its own check.
 */
export async function isAdminRequestAllowed(method: string, path: string): Promise<boolean> {
  const deps = sharedService()?.auth
  if (deps === undefined) return false
  const viewer = await auth()
  const isOpen = viewer === null ? method === 'POST' && (await hadAdminSession(deps)) : viewer.isAdmin && viewer.state !== 'blocked'
  if (!isOpen) logRefusedAdmin(deps, (await currentAsker()).address, viewer?.publicId ?? null, path)
  return isOpen
}

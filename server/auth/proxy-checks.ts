import { NextRequest } from 'next/server'
import NextAuth from 'next-auth'
import { sharedService } from '#server/runtime/service-slot.ts'
import { auth, authOptions, currentClaims } from './auth.ts'
import type { AuthContext } from './auth-context.ts'
import { cookieName } from './cookies.ts'
import { currentAsker, currentAuthContext, currentCookie } from './current-request.ts'
import { logRefusedAdmin } from './security-history.ts'

/**
 * Returns true if the browser has next-auth's CSRF cookie. Over HTTPS only the name with the `__Host-` prefix counts, because another host in the same domain
 * could set a cookie without the prefix.
 */
export const hasCsrfToken = async ({ cookies }: NextRequest): Promise<boolean> => cookies.has(cookieName(await currentAuthContext(), 'csrf'))

/** Returns the response of next-auth's own endpoint that sets the CSRF cookie. */
export async function requestCsrfToken(request: Request): Promise<Response> {
  // Omits the page's query, which next-auth would otherwise interpret.
  const own = new NextRequest(new URL('/api/auth/csrf', request.url), { headers: request.headers })
  return NextAuth(own as never, { params: { nextauth: ['csrf'] } }, authOptions(await currentAuthContext()))
}

/** Returns true if an administrator has signed in with this browser, according to its session and device cookies. */
async function hadAdminSession(deps: AuthContext): Promise<boolean> {
  const [claims, device] = [await currentClaims(), await currentCookie('device')]
  const accounts = [claims?.sub, ...(device?.accounts ?? [])].filter((account) => typeof account === 'string')
  return accounts.length > 0 && (await deps.pool.account.count({ where: { publicId: { in: accounts }, role: 'admin', closedAt: null } })) > 0
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

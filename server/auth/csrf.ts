import { NextRequest } from 'next/server'
import NextAuth from 'next-auth'
import { authOptions } from './auth.ts'
import { cookieName } from './cookies.ts'
import { currentAuthContext } from './current-request.ts'

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

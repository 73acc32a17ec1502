import { type NextRequest, NextResponse } from 'next/server'

const isAdminPath = (path: string): boolean => /^\/admin(?:\/|$)/.test(path)

/** Sets next-auth's CSRF cookie if the browser has none, so that forms on the page can include the CSRF token. */
async function withCsrfCookie(request: NextRequest): Promise<NextResponse> {
  const { hasCsrfToken, requestCsrfToken } = await import('#server/auth/proxy-checks.ts')
  if (await hasCsrfToken(request)) return NextResponse.next()
  const lines = (await requestCsrfToken(request)).headers.getSetCookie()
  const headers = new Headers(request.headers)
  headers.set('cookie', [headers.get('cookie') ?? [], lines.map((line) => line.split(';', 1)[0])].flat(2).join('; '))
  const next = NextResponse.next({ request: { headers } })
  for (const line of lines) next.headers.append('Set-Cookie', line)
  return next
}

/**
 * Hides the admin area: everyone except administrators gets the same 404, byte for byte, as for an unknown path. The guard in app/admin/layout.tsx also rejects
 * non-administrators. Modules are loaded on first use, because Next keeps separate copies of them for this file.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { method, nextUrl } = request
  if (isAdminPath(nextUrl.pathname)) {
    const { isAdminRequestAllowed } = await import('#server/auth/proxy-checks.ts')
    if (!(await isAdminRequestAllowed(method, nextUrl.pathname))) return NextResponse.rewrite(new URL('/nothing-is-here', request.url))
  }
  return method === 'GET' ? withCsrfCookie(request) : NextResponse.next()
}

export const config = {
  matcher: [
    '/admin',
    '/admin/:path*',
    {
      source: '/(portal|sign-in|sign-up|confirm|join)/:path*',
      missing: [{ type: 'cookie', key: '__Host-svc.csrf' }],
    },
  ],
}

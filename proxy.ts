import { type NextRequest, NextResponse } from 'next/server'
import { readPeer } from '#server/api/http/peer.ts'
import { isAdminRequestAllowed } from '#server/auth/admin-access.ts'

/**
 * Hides the admin area: everyone except administrators gets the same 404, byte for byte, as for an unknown path. The guard in app/admin/layout.tsx also rejects
 * them.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { method, nextUrl, cookies } = request
  const address = readPeer(request.headers)?.address ?? null
  const isOpen = await isAdminRequestAllowed({ method, path: nextUrl.pathname, address, cookie: (name) => cookies.get(name)?.value })
  return isOpen ? NextResponse.next() : NextResponse.rewrite(new URL('/nothing-is-here', request.url))
}

export const config = { matcher: ['/admin', '/admin/:path*'] }

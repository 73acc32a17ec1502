import { type NextRequest, NextResponse } from 'next/server'
import { readPeer } from '#server/api/http/peer.ts'
import { isDeskOpen } from '#server/auth/desk-door.ts'

/** What next.config.mjs leads to the pages of the desk by. Whatever a caller says in it is not heard. */
const key = 'x-svc-desk'

/**
 * The desk is at /admin for administrators alone. Its pages stand elsewhere, and the way there is open to nobody else: what others are sent is what any
 * address of nothing is sent, to the last byte, and nobody learns which pages there are. Only these addresses come here.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const headers = new Headers(request.headers)
  headers.delete(key)
  const { method, nextUrl, cookies } = request
  const address = readPeer(request.headers)?.address ?? null
  if (await isDeskOpen({ method, path: nextUrl.pathname, address, cookie: (name) => cookies.get(name)?.value })) headers.set(key, 'open')
  return NextResponse.next({ request: { headers } })
}

export const config = { matcher: ['/admin', '/admin/:path*'] }

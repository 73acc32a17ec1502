import { type NextRequest, NextResponse } from 'next/server'
import { isAtDesk } from './server/auth/desk-door.ts'

/** An address that nothing will ever be at. */
const nowhere = '/nothing-is-here'

/**
 * Whoever is no administrator finds nothing under /admin: what is sent is what any address of nothing is sent, so nobody learns which pages there are.
 * Everything else never comes here.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  if (await isAtDesk((name) => request.cookies.get(name)?.value)) return NextResponse.next()
  return NextResponse.rewrite(new URL(nowhere, request.url))
}

export const config = { matcher: ['/admin', '/admin/:path*'] }

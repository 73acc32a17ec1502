import NextAuth, { type NextAuthOptions } from 'next-auth'
import { attempt, type Limit, limits, ThrottledError } from '#server/accounts/throttle.ts'
import { getNetwork } from '#server/keys/address-list.ts'
import type { Asker, AuthContext } from './auth-context.ts'
import { isSameOrigin } from './same-origin.ts'

type RouteContext = { params: Promise<{ nextauth: string[] }> }

/** Returns the rate limit for next-auth's identity provider routes. Sign-ins with a password or code have separate limits. */
function getLimit(method: string, [action, provider]: readonly string[]): Limit | null {
  if (provider !== 'google' && provider !== 'oidc' && !provider?.startsWith('org-')) return null
  if (action === 'signin') return method === 'POST' ? limits.provider : null
  return action === 'callback' ? limits.providerReturn : null
}

/** Handles next-auth's routes under /api/auth. `getOptions` returns next-auth's options, or the path of the page to open instead, or throws ThrottledError. */
export async function answerNextAuth(
  deps: AuthContext,
  asker: Asker,
  request: Request,
  context: RouteContext,
  getOptions: () => Promise<NextAuthOptions | { readonly path: string }>,
): Promise<Response> {
  const { nextauth } = await context.params
  // next-auth's browser client reports errors to this route, which has no CSRF check. We don't use that client.
  if (nextauth[0] === '_log') return new Response(null, { status: 404 })
  // Prevents login CSRF. next-auth checks only its own CSRF token, which another site can fetch and then use to sign this browser in to someone else's account.
  if (request.method === 'POST' && !isSameOrigin(request.headers, deps.publicUrl))
    return Response.json(
      { error: 'This form was sent from another site. Open the sign-in page and try again.' },
      { status: 403, headers: { 'Cache-Control': 'no-store' } },
    )
  const limit = getLimit(request.method, nextauth)
  let options: NextAuthOptions | { readonly path: string }
  try {
    if (limit !== null) await attempt(deps.pool, [limit, getNetwork(asker.address)])
    options = await getOptions()
  } catch (error) {
    if (!(error instanceof ThrottledError)) throw error
    const headers = { Location: '/sign-in?error=throttled', 'Retry-After': String(error.waitSeconds), 'Cache-Control': 'no-store' }
    return new Response(null, { status: 303, headers })
  }
  if ('path' in options) return new Response(null, { status: 303, headers: { Location: options.path, 'Cache-Control': 'no-store' } })
  const response: Response = await NextAuth(request as never, context as never, options)
  response.headers.set('Cache-Control', 'private, no-store')
  return response
}

import { dropCookie } from '#server/auth/cookies.ts'
import { currentAuthContext, leaveCookies } from '#server/auth/current-request.ts'
import { isSameOrigin } from '#server/auth/same-origin.ts'

/**
 * Removes the cookie that holds the account's first key, once the page has shown the key. Not a server action, because that would render the page again,
 * without the key.
 */
export async function POST(request: Request): Promise<Response> {
  const deps = await currentAuthContext()
  const isOurs = isSameOrigin(request.headers, deps.publicUrl)
  if (isOurs) await leaveCookies(dropCookie(deps, 'welcome'))
  return new Response(null, { status: isOurs ? 204 : 403 })
}

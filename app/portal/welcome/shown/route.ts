import { dropCookie } from '#server/auth/cookies.ts'
import { currentAuthContext, leaveCookies } from '#server/auth/current-request.ts'
import { isSameOrigin } from '#server/auth/same-origin.ts'

/** Removes the first key from the cookies once it was shown. Not a server action, as that would render the page again without the key. */
export async function POST(request: Request): Promise<Response> {
  const deps = await currentAuthContext()
  const isOurs = isSameOrigin(request.headers, deps.publicUrl)
  if (isOurs) await leaveCookies(dropCookie(deps, 'welcome'))
  return new Response(null, { status: isOurs ? 204 : 403 })
}

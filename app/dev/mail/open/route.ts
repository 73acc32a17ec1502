import { isLocalRequest } from '#server/api/http/peer.ts'
import { makeCookie } from '#server/auth/cookies.ts'
import { currentAuthContext, leaveCookies } from '#server/auth/current-request.ts'
import { isOutboxKey } from '#server/self-service/outbox.ts'

/** Sets the /dev/mail cookie when the link printed at startup is opened, then redirects to /dev/mail without the key in the URL. */
export async function GET(request: Request): Promise<Response> {
  const deps = await currentAuthContext()
  const key = new URL(request.url).searchParams.get('key') ?? ''
  if (!deps.showsOutbox || !isLocalRequest(request.headers) || !isOutboxKey(deps.secret, key))
    return new Response('Not found. Open the link that the service printed when it started.', { status: 404, headers: { 'Cache-Control': 'no-store' } })
  await leaveCookies(await makeCookie(deps, 'outbox', {}))
  return new Response(null, { status: 303, headers: { Location: '/dev/mail', 'Cache-Control': 'no-store' } })
}

import { dropCookie } from '#server/auth/cookies.ts'
import { currentRoom, leaveCookies } from '#server/auth/current-request.ts'
import { isSameOrigin } from '#server/auth/same-origin.ts'

/** Takes the first key out of the browser's cookies once it was shown. No action, because an action would have the page made anew, without the key. */
export async function POST(request: Request): Promise<Response> {
  const room = await currentRoom()
  const isOurs = isSameOrigin(request.headers, room.publicUrl)
  if (isOurs) await leaveCookies(dropCookie(room, 'welcome'))
  return new Response(null, { status: isOurs ? 204 : 403 })
}

import { themeCookies, themeOf } from '#components/site/theme-choice.ts'
import { isSecure } from '#server/auth/cookies.ts'
import { currentRoom } from '#server/auth/current-request.ts'

/** Where the reader was, as a path on this site: what comes from elsewhere is not gone to. */
function pathBack(request: Request): string {
  const from = request.headers.get('referer')
  const host = request.headers.get('host')
  if (from === null || !URL.canParse(from)) return '/'
  const { host: fromHost, pathname, search } = new URL(from)
  return fromHost === host && !pathname.startsWith('//') ? pathname + search : '/'
}

/** Keeps the choice of colours and goes back. With a script the page does this by itself. */
export async function POST(request: Request): Promise<Response> {
  const theme = themeOf((await request.formData()).get('theme'))
  const headers = new Headers({ Location: pathBack(request) })
  for (const cookie of themeCookies(theme, isSecure(await currentRoom()))) headers.append('Set-Cookie', cookie)
  return new Response(null, { status: 303, headers })
}

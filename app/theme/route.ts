import { getTheme, themeCookies } from '#components/site/theme-choice.ts'
import { readFormField } from '#server/api/http/form-field.ts'
import { isSecure } from '#server/auth/cookies.ts'
import { currentAuthContext } from '#server/auth/current-request.ts'

/** Returns the path of the page that sent the form, or `/` if it is unknown or on another site. */
function refererPath(request: Request): string {
  const from = request.headers.get('referer')
  const host = request.headers.get('host')
  if (from === null || !URL.canParse(from)) return '/'
  const { host: fromHost, pathname, search } = new URL(from)
  return fromHost === host && !pathname.startsWith('//') ? pathname + search : '/'
}

/** Saves the theme and redirects back. With JavaScript, the page sets the cookie itself and doesn't call this route. */
export async function POST(request: Request): Promise<Response> {
  const theme = getTheme(await readFormField(request, 'theme'))
  const headers = new Headers({ Location: refererPath(request) })
  for (const cookie of themeCookies(theme, isSecure(await currentAuthContext()))) headers.append('Set-Cookie', cookie)
  return new Response(null, { status: 303, headers })
}

import NextAuth from 'next-auth'
import { authOptions } from './auth.ts'
import { currentAuthContext } from './current-request.ts'

/** Returns the response of next-auth's own endpoint that sets the CSRF cookie. */
export async function requestCsrfToken(request: Request): Promise<Response> {
  return NextAuth(request as never, { params: { nextauth: ['csrf'] } }, authOptions(await currentAuthContext()))
}

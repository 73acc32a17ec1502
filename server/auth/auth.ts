import { cookies } from 'next/headers'
import { getServerSession, type NextAuthOptions } from 'next-auth'
import { cache } from 'react'
import { mutationFault } from '#server/accounts/permissions.ts'
import { withReference } from '#server/observability/log-reference.ts'
import { type AuthContext, type SessionClaims, sessionLimits } from './auth-context.ts'
import { cookieName, cookieOptions, dropCookie, isSecure, readToken } from './cookies.ts'
import { currentAsker, currentAuthContext, leaveCookies } from './current-request.ts'
import { codeProvider, type EntryUser, keepSignIn, passwordProvider } from './entry.ts'
import { afterProvider, openIdProvider } from './openid-provider.ts'
import { sitePath } from './same-origin.ts'
import { endBrowserSession } from './sessions.ts'
import { shownAccount } from './shown-account.ts'
import { getViewer, type Viewer } from './viewer.ts'

const cookieNames = { sessionToken: 'session', callbackUrl: 'callback', csrfToken: 'csrf', pkceCodeVerifier: 'pkce', state: 'state', nonce: 'nonce' } as const

/** next-auth configuration. The token in the session cookie only names a session row, which can be revoked. */
export function authOptions(deps: AuthContext): NextAuthOptions {
  const { google, oidc } = deps.providers
  return {
    secret: deps.secret,
    session: { strategy: 'jwt', maxAge: sessionLimits.member.lifetimeSeconds },
    jwt: { decode: readToken },
    useSecureCookies: isSecure(deps),
    cookies: Object.fromEntries(Object.entries(cookieNames).map(([name, kind]) => [name, { name: cookieName(deps, kind), options: cookieOptions(deps) }])),
    pages: { signIn: '/sign-in', signOut: '/portal', error: '/sign-in', newUser: '/portal' },
    providers: [
      passwordProvider(deps),
      codeProvider(deps),
      ...(google ? [openIdProvider('google', google, deps.log)] : []),
      ...(oidc ? [openIdProvider('oidc', oidc, deps.log)] : []),
    ],
    callbacks: {
      signIn: async ({ user, account }: { user: EntryUser; account: { provider: string } | null }) => {
        const entry = user.profile ? await afterProvider(deps, account?.provider ?? '', user.profile, await auth()) : user.entry
        if (entry === undefined) return false
        if ('path' in entry) return entry.path
        user.entry = entry
        await keepSignIn(deps, entry.device, await currentClaims())
        return true
      },
      jwt: ({ token, user }) => {
        const { entry } = (user ?? {}) as EntryUser
        return entry && 'signedIn' in entry ? { sub: entry.signedIn.accountPublicId, sid: entry.signedIn.sessionId } : token
      },
      session: async ({ session, token }) => {
        const viewer = await getViewer(deps, await currentAsker(), token)
        return viewer ? { expires: session.expires, user: { email: viewer.email, name: viewer.name } } : { expires: new Date(0).toISOString() }
      },
      redirect: ({ url, baseUrl }) => sitePath(url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url),
    },
    events: {
      signOut: async ({ token }) => {
        await endBrowserSession(deps, await currentAsker(), token)
        await leaveCookies(dropCookie(deps, 'code'), dropCookie(deps, 'welcome'))
      },
    },
    // Logs only next-auth's error codes, because the metadata contains tokens and profiles.
    logger: {
      error: (code) => deps.log.info({ code }, 'next-auth rejected a request.'),
      warn: (code) => deps.log.info({ code }, 'next-auth warning.'),
      debug: () => undefined,
    },
  }
}

/** Returns the claims of the session cookie, whether or not the session has ended. */
export const currentClaims = cache(async (): Promise<SessionClaims | null> => {
  const deps = await currentAuthContext()
  if (!(await cookies()).has(cookieName(deps, 'session'))) return null
  const options = authOptions(deps)
  return getServerSession({ ...options, callbacks: { ...options.callbacks, session: ({ token: { sub, sid } }): SessionClaims => ({ sub, sid }) } })
})

/** Returns the signed-in user, looked up once per request, so that an ended session stops working immediately. Returns null if nobody is signed in. */
export const auth = cache(async (): Promise<Viewer | null> => {
  try {
    return await getViewer(await currentAuthContext(), await currentAsker(), await currentClaims())
  } catch (error) {
    throw error instanceof Error ? withReference(error) : error
  }
})

/** Returns the account whose keys and credits the user may use, by the same role as for creating keys. Null if there is none, and during view-as. */
export async function currentSpender(): Promise<Viewer | null> {
  const viewer = await auth()
  if (viewer === null || viewer.viewing !== null) return null
  const shown = await shownAccount(await currentAuthContext(), viewer)
  return mutationFault(shown, 'keys.create') === null ? shown : null
}

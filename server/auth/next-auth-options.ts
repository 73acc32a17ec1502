import type { NextAuthOptions, User } from 'next-auth'
import CredentialsProvider from 'next-auth/providers/credentials'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import type { OpenIdSettings } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'
import type { Asker, AuthContext, ProviderProfile } from './auth-context.ts'
import { cookieKinds, cookieName, dropCookie, isSecure, makeCookie, openCookie, readToken, type SetCookie } from './cookies.ts'
import { type ProviderOutcome, signInWithProvider } from './provider-sign-in.ts'
import { endReplacedSession, endSession, type SignedIn } from './sessions.ts'
import { type SignInOutcome, signIn, signInWithCode } from './sign-in.ts'
import { ThrottledError } from './throttle.ts'
import { getViewer } from './viewer.ts'

/** A request to next-auth: its origin, its cookies, and cookies to set in addition to next-auth's own. */
export type AuthExchange = { readonly asker: Asker; readonly cookie: (name: string) => string | undefined; readonly left: SetCookie[] }

type VouchedUser = User & { profile?: ProviderProfile; signedIn?: SignedIn }

type Claims = { iss?: string; sub?: string; email?: string; email_verified?: unknown; name?: string }

const providerTimeoutMs = 10_000

const withoutSlash = (url: string): string => url.replace(/\/$/, '')

function openIdProvider(id: 'google' | 'oidc', settings: OpenIdSettings, log: Log): OAuthConfig<Claims> {
  const { issuer, clientId, clientSecret, label } = settings
  return {
    id,
    name: label,
    type: 'oauth',
    issuer,
    wellKnown: `${withoutSlash(issuer)}/.well-known/openid-configuration`,
    clientId,
    clientSecret,
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    authorization: { params: { scope: 'openid email profile' } },
    httpOptions: { timeout: providerTimeoutMs },
    profile: (claims): VouchedUser => {
      // next-auth doesn't compare the issuer of the discovery document with the configured one.
      if (withoutSlash(claims.iss ?? '') !== withoutSlash(issuer)) {
        log.warn({ provider: id }, 'Rejected an ID token from another issuer.')
        return { id: claims.sub ?? '' }
      }
      const email = claims.email ?? ''
      const name = (claims.name ?? '').slice(0, 100)
      // Only an explicit `true` counts as verified.
      return { id: claims.sub ?? '', profile: { issuer, subject: claims.sub ?? '', email, isEmailVerified: claims.email_verified === true, name } }
    },
  }
}

/** Returns the path to redirect to after a provider sign-in; true lets next-auth create the session. */
async function afterProvider(deps: AuthContext, exchange: AuthExchange, user: VouchedUser, outcome: ProviderOutcome): Promise<true | string> {
  if (outcome.kind === 'signed-in') {
    user.signedIn = outcome.signedIn
    await endReplacedSession(deps, exchange.asker, exchange.cookie(cookieName(deps, 'session')))
    exchange.left.push(await makeCookie(deps, 'device', { ...outcome.device, accounts: [...outcome.device.accounts] }))
    return true
  }
  if (outcome.kind === 'code') {
    exchange.left.push(await makeCookie(deps, 'code', { account: outcome.account, version: outcome.version, next: '/portal' }))
    return '/sign-in/code'
  }
  if (outcome.kind === 'new' && user.profile) {
    exchange.left.push(await makeCookie(deps, 'provider-sign-up', { profile: user.profile }))
    return '/sign-up/finish'
  }
  if (outcome.kind === 'connected' || outcome.kind === 'not-connected') {
    exchange.left.push(dropCookie(deps, 'connect'))
    return `/portal/settings?done=${outcome.kind}`
  }
  return `/sign-in?error=${outcome.kind}`
}

async function handleProviderSignIn(deps: AuthContext, exchange: AuthExchange, user: VouchedUser): Promise<boolean | string> {
  if (!user.profile) return user.signedIn !== undefined
  try {
    const viewer = await getViewer(deps, exchange.asker, exchange.cookie(cookieName(deps, 'session')))
    const device = await openCookie(deps, 'device', exchange.cookie(cookieName(deps, 'device')))
    const proof = await openCookie(deps, 'connect', exchange.cookie(cookieName(deps, 'connect')))
    const mayConnect = viewer !== null && proof?.session === viewer.sessionId
    const outcome = await signInWithProvider(deps, exchange.asker, user.profile, { viewer, device, mayConnect })
    return await afterProvider(deps, exchange, user, outcome)
  } catch (error) {
    if (error instanceof ThrottledError) return '/sign-in?error=throttled'
    // next-auth would put the error message into the next URL.
    deps.log.error({ err: error }, 'Provider sign-in failed.')
    return '/sign-in?error=failed'
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 1_000) : '')

/** Authenticates next-auth's credentials endpoint with the same rules as the sign-in page. */
async function authorize(deps: AuthContext, exchange: AuthExchange, given: Record<string, unknown> | undefined): Promise<VouchedUser | null> {
  try {
    const device = await openCookie(deps, 'device', exchange.cookie(cookieName(deps, 'device')))
    let outcome: SignInOutcome = await signIn(deps, exchange.asker, { email: text(given?.['email']), password: text(given?.['password']) }, device)
    if (outcome.kind === 'code') outcome = await signInWithCode(deps, exchange.asker, outcome, text(given?.['code']), device)
    if (outcome.kind !== 'signed-in') return null
    await endReplacedSession(deps, exchange.asker, exchange.cookie(cookieName(deps, 'session')))
    exchange.left.push(await makeCookie(deps, 'device', { ...outcome.device, accounts: [...outcome.device.accounts] }))
    return { id: outcome.signedIn.accountPublicId, signedIn: outcome.signedIn }
  } catch (error) {
    if (error instanceof ThrottledError) throw new Error('throttled')
    deps.log.info({ err: error }, 'Sign-in rejected.')
    return null
  }
}

const cookieNames = { sessionToken: 'session', callbackUrl: 'callback', csrfToken: 'csrf', pkceCodeVerifier: 'pkce', state: 'state', nonce: 'nonce' } as const

function cookieOptions(deps: AuthContext): NextAuthOptions['cookies'] {
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(deps) } as const
  return Object.fromEntries(Object.entries(cookieNames).map(([name, kind]) => [name, { name: cookieName(deps, kind), options }]))
}

async function endSignOut(deps: AuthContext, exchange: AuthExchange): Promise<void> {
  const viewer = await getViewer(deps, exchange.asker, exchange.cookie(cookieName(deps, 'session')))
  if (viewer) await endSession(deps, exchange.asker, viewer.accountId, viewer.sessionId)
  exchange.left.push(dropCookie(deps, 'code'))
}

/** next-auth configuration. The token in the cookie only names a session row; its other claims are ignored. */
export function nextAuthOptions(deps: AuthContext, exchange: AuthExchange): NextAuthOptions {
  const { google, oidc } = deps.providers
  return {
    secret: deps.secret,
    session: { strategy: 'jwt', maxAge: cookieKinds.session.lifetimeSeconds },
    jwt: { decode: readToken },
    useSecureCookies: isSecure(deps),
    cookies: cookieOptions(deps) ?? {},
    pages: { signIn: '/sign-in', signOut: '/sign-in', error: '/sign-in', newUser: '/portal' },
    providers: [
      CredentialsProvider({ credentials: { email: {}, password: {}, code: {} }, authorize: (given) => authorize(deps, exchange, given) }),
      ...(google ? [openIdProvider('google', google, deps.log)] : []),
      ...(oidc ? [openIdProvider('oidc', oidc, deps.log)] : []),
    ],
    callbacks: {
      signIn: ({ user }) => handleProviderSignIn(deps, exchange, user),
      jwt: ({ token, user }) => {
        const { signedIn } = (user ?? {}) as VouchedUser
        return signedIn ? { sub: signedIn.accountPublicId, sid: signedIn.sessionId } : token
      },
      session: async ({ session, token }) => {
        const cookie = exchange.cookie(cookieName(deps, 'session'))
        const viewer = await getViewer(deps, exchange.asker, cookie)
        if (!viewer || viewer.sessionId !== token['sid']) return { expires: new Date(0).toISOString() }
        return { expires: session.expires, user: { email: viewer.email, name: viewer.name } }
      },
      redirect: ({ url, baseUrl }) => (url.startsWith('/') && !/^\/[/\\]/.test(url) ? `${baseUrl}${url}` : url.startsWith(`${baseUrl}/`) ? url : baseUrl),
    },
    events: { signOut: () => endSignOut(deps, exchange) },
    // Log only codes: the metadata contains tokens and profiles.
    logger: {
      error: (code) => deps.log.info({ code }, 'next-auth rejected a sign-in.'),
      warn: (code) => deps.log.info({ code }, 'next-auth warning.'),
      debug: () => undefined,
    },
  }
}

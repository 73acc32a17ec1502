import { createHash, randomBytes } from 'node:crypto'
import type { NextApiRequest, NextApiResponse } from 'next'
import NextAuth from 'next-auth'
import { getNetwork } from '#server/keys/address-list.ts'
import type { Asker, AuthContext } from './auth-context.ts'
import { cookieName, isSecure, type SetCookie } from './cookies.ts'
import { type AuthExchange, nextAuthOptions } from './next-auth-options.ts'
import { isSameOrigin } from './same-origin.ts'
import { attempt, type Limit, limits, ThrottledError } from './throttle.ts'

const asHeader = ({ name, value, options }: SetCookie): string =>
  `${name}=${value}; Path=${options.path}; Max-Age=${options.maxAge}; HttpOnly; SameSite=Lax${options.secure ? '; Secure' : ''}`

type RouteContext = { params: Promise<{ nextauth: string[] }> }

/** Returns the limit for next-auth's provider routes. Its credentials route is limited like every other sign-in. */
function getLimit(method: string, [action, provider]: readonly string[]): Limit | null {
  if (provider !== 'google' && provider !== 'oidc') return null
  if (action === 'signin') return method === 'POST' ? limits.provider : null
  return action === 'callback' ? limits.providerReturn : null
}

/** Handles next-auth's routes under /api/auth. */
export async function answerNextAuth(deps: AuthContext, asker: Asker, request: Request, context: RouteContext): Promise<Response> {
  const { nextauth } = await context.params
  // next-auth checks only its CSRF token, which another site can fetch itself and submit with someone else's password. It looks at the first two path segments
  // only, so this code also ignores further ones.
  if (request.method === 'POST' && nextauth.slice(0, 2).join('/') === 'callback/credentials' && !isSameOrigin(request.headers, deps.publicUrl))
    return Response.json({ error: 'Sign in from a page of this site.' }, { status: 403, headers: { 'Cache-Control': 'no-store' } })
  const limit = getLimit(request.method, nextauth)
  try {
    if (limit !== null) await attempt(deps.pool, [limit, getNetwork(asker.address)])
  } catch (error) {
    if (!(error instanceof ThrottledError)) throw error
    return new Response(null, {
      status: 303,
      headers: { Location: '/sign-in?error=throttled', 'Retry-After': String(error.waitSeconds), 'Cache-Control': 'no-store' },
    })
  }
  const cookies = cookiesIn(request.headers.get('cookie') ?? '')
  const exchange: AuthExchange = { asker, cookie: (name) => cookies.get(name), left: [] }
  const response: Response = await NextAuth(request as never, context as never, nextAuthOptions(deps, exchange))
  const headers = new Headers(response.headers)
  for (const cookie of exchange.left) headers.append('Set-Cookie', asHeader(cookie))
  headers.set('Cache-Control', 'private, no-store')
  return new Response(response.body, { status: response.status, headers })
}

function cookiesIn(header: string): Map<string, string> {
  const pairs = header.split(';').map((pair) => pair.trim().split('='))
  return new Map(pairs.flatMap(([name, ...value]) => (name ? [[name, decodeCookie(value.join('='))] as const] : [])))
}

function decodeCookie(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    // Malformed value, which this service never sets.
    return value
  }
}

/** Creates a CSRF token and its cookie in next-auth's format. */
function csrfPair(secret: string): { token: string; cookie: string } {
  const token = randomBytes(32).toString('hex')
  return { token, cookie: `${token}|${createHash('sha256').update(`${token}${secret}`).digest('hex')}` }
}

export type Start = { readonly location: string; readonly left: readonly SetCookie[] }

/** Time limit for the sign-in at the provider. next-auth's own checks have the same limit. */
const startSeconds = 900

/** Parses a Set-Cookie header written by next-auth. */
function leftCookie(deps: AuthContext, header: string): SetCookie {
  const [pair = ''] = header.split(';', 1)
  const [name = '', ...value] = pair.split('=')
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(deps), maxAge: startSeconds } as const
  return { name, value: decodeCookie(value.join('=')), options }
}

/** Values of `prompt` that make a provider authenticate the user again, even if they are signed in there. Google doesn't support `login`. */
const promptAgain = { google: 'select_account', oidc: 'login' } as const

/**
 * Starts a provider sign-in from one of our forms, without JavaScript and without a separate CSRF token: the calling server action can only be reached from our
 * pages. Returns the URL to redirect to and the cookies to set. @throws ThrottledError
 */
export async function startProvider(deps: AuthContext, asker: Asker, provider: 'google' | 'oidc', next: string, isAgain: boolean): Promise<Start> {
  await attempt(deps.pool, [limits.provider, getNetwork(asker.address)])
  const { token, cookie } = csrfPair(deps.secret)
  const exchange: AuthExchange = { asker, cookie: () => undefined, left: [] }
  const answer = { location: '/sign-in?error=failed', setCookies: [] as string[] }
  const request = {
    method: 'POST',
    query: { nextauth: ['signin', provider], ...(isAgain ? { prompt: promptAgain[provider] } : {}) },
    body: { csrfToken: token, callbackUrl: next, json: 'false' },
    cookies: { [cookieName(deps, 'csrf')]: cookie },
    headers: {},
  }
  const response = {
    status: () => response,
    getHeader: () => answer.setCookies,
    setHeader: (header: string, value: string | string[]) => {
      if (header.toLowerCase() === 'set-cookie') answer.setCookies = [value].flat()
      if (header.toLowerCase() === 'location') answer.location = String(value)
      return response
    },
    json: () => undefined,
    send: () => undefined,
    end: () => undefined,
  }
  await NextAuth(request as unknown as NextApiRequest, response as unknown as NextApiResponse, nextAuthOptions(deps, exchange))
  return { location: answer.location, left: answer.setCookies.map((header) => leftCookie(deps, header)) }
}

import { cookies, headers } from 'next/headers'
import { isLocalRequest, readPeer } from '#server/api/http/peer.ts'
import { plainAddress } from '#server/keys/address-list.ts'
import { nextService } from '#server/runtime/next-service.ts'
import type { Asker, AuthContext } from './auth-context.ts'
import { type CookieClaims, type CookieKind, cookieName, openCookie, openToken, type SetCookie } from './cookies.ts'
import { sitePath } from './same-origin.ts'

const maxAgentLength = 200

/** Returns this process's auth context, for code that runs inside Next. */
export const currentAuthContext = async (): Promise<AuthContext> => (await nextService()).auth

/** Returns the client address and user agent of the current request. */
export async function currentAsker(): Promise<Asker> {
  const given = await headers()
  const address = readPeer(given)?.address ?? null
  return { address: address === null ? null : plainAddress(address), agent: (given.get('user-agent') ?? '').slice(0, maxAgentLength) }
}

/** Returns true if the current request was sent from this machine. */
export const isCurrentRequestLocal = async (): Promise<boolean> => isLocalRequest(await headers())

/** Removes the `_rsc` parameter that Next's router adds: redirecting back to a URL with it returns a response that browsers can't display. */
const withoutRouterMark = (path: string): string => path.replace(/(?<=[?&])_rsc=[^&]*&?/, '').replace(/[?&]$/, '')

/** Returns the path of the current page, for redirecting back to it. */
export const currentPath = async (): Promise<string> => withoutRouterMark(readPeer(await headers())?.url ?? '/portal')

const readCookie = async (deps: AuthContext, kind: Parameters<typeof cookieName>[1]): Promise<string> =>
  (await cookies()).get(cookieName(deps, kind))?.value ?? ''

/** Returns the claims of a cookie in the current request. */
export async function currentCookie<Kind extends CookieKind>(kind: Kind): Promise<CookieClaims[Kind] | null> {
  const deps = await currentAuthContext()
  return openCookie(deps, kind, await readCookie(deps, kind))
}

/** Returns the path to which next-auth returns after the current sign-in. The browser can change it, so it proves nothing. */
export async function currentCallbackPath(): Promise<string> {
  const deps = await currentAuthContext()
  return sitePath(URL.parse(await readCookie(deps, 'callback'), deps.publicUrl)?.pathname)
}

/** Returns the id of the identity provider with which this browser has begun a sign-in; null if it has not. Reads next-auth's cookie. */
export async function currentSignInProvider(): Promise<string | null> {
  const deps = await currentAuthContext()
  const claims = await openToken(await readCookie(deps, 'state'), deps.secret, cookieName(deps, 'state'))
  return typeof claims?.['provider'] === 'string' ? claims['provider'] : null
}

/** Returns next-auth's CSRF token for a form of the current page. proxy.ts sets its cookie. */
export const currentCsrfToken = async (): Promise<string> => (await readCookie(await currentAuthContext(), 'csrf')).split('|', 1)[0] ?? ''

/** Sets cookies on the response. Only for actions and route handlers. */
export async function leaveCookies(...left: readonly SetCookie[]): Promise<void> {
  const jar = await cookies()
  for (const { name, value, options } of left) jar.set(name, value, options)
}

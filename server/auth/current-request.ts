import { cookies, headers } from 'next/headers'
import { cache } from 'react'
import { isLocalRequest, readPeer } from '#server/api/http/peer.ts'
import { plainAddress } from '#server/keys/address-list.ts'
import { withReference } from '#server/observability/log-reference.ts'
import { nextService } from '#server/runtime/next-service.ts'
import type { Asker, AuthContext } from './auth-context.ts'
import { type CookieClaims, type CookieKind, cookieName, openCookie, type SetCookie } from './cookies.ts'
import type { Bearer } from './email-confirmation.ts'
import { getViewer, type Viewer } from './viewer.ts'

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

/** Removes the `_rsc` parameter that Next's router adds: returning to such a URL gives a response browsers can't display. */
const withoutRouterMark = (path: string): string => path.replace(/(?<=[?&])_rsc=[^&]*&?/, '').replace(/[?&]$/, '')

/** Returns the path of the current page, for redirecting back to it. */
export async function currentPath(): Promise<string> {
  return withoutRouterMark(readPeer(await headers())?.url ?? '/portal')
}

/** Returns the signed-in user, looked up once per request. */
export const currentViewer = cache(async (): Promise<Viewer | null> => {
  const deps = await currentAuthContext()
  const cookie = (await cookies()).get(cookieName(deps, 'session'))?.value
  if (cookie === undefined) return null
  try {
    return await getViewer(deps, await currentAsker(), cookie)
  } catch (error) {
    throw error instanceof Error ? withReference(error) : error
  }
})

/** Returns true if the request has a session cookie, valid or not. Needs no lookup, so public pages can use it freely. */
export const bringsSession = async (): Promise<boolean> => (await cookies()).getAll().some(({ name }) => /^(?:__Host-)?svc\.session$/.test(name))

/** Returns the user whose keys and credits a page may use: the signed-in user, but no one during view-as. */
export async function currentSpender(): Promise<Viewer | null> {
  const viewer = await currentViewer()
  return viewer?.viewing ? null : viewer
}

/** Returns the claims of a cookie in the current request. */
export async function currentCookie<Kind extends CookieKind>(kind: Kind): Promise<CookieClaims[Kind] | null> {
  const deps = await currentAuthContext()
  return openCookie(deps, kind, (await cookies()).get(cookieName(deps, kind))?.value)
}

/** Returns the accounts that belong to this browser. */
export async function currentBearer(): Promise<Bearer> {
  const [pending, viewer] = [await currentCookie('sign-up'), await currentViewer()]
  return { signedUp: pending?.account ?? null, signedIn: viewer?.publicId ?? null }
}

/** Sets cookies on the response. Only for actions and route handlers. */
export async function leaveCookies(...left: readonly SetCookie[]): Promise<void> {
  const jar = await cookies()
  for (const { name, value, options } of left) jar.set(name, value, options)
}

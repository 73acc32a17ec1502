import { cookies, headers } from 'next/headers'
import { cache } from 'react'
import { isLocalRequest, readPeer } from '#server/api/http/peer.ts'
import { plainAddress } from '#server/keys/address-list.ts'
import { withReference } from '#server/observability/log-reference.ts'
import { nextService } from '#server/runtime/next-service.ts'
import type { Asker, AuthRoom } from './auth-room.ts'
import { type CookieClaims, type CookieKind, cookieName, openCookie, type SetCookie } from './cookies.ts'
import type { Bearer } from './link-account.ts'
import { type Viewer, viewerOf } from './viewer.ts'

const longestAgent = 200

/** The room of this process, for what runs inside of Next. */
export const currentRoom = async (): Promise<AuthRoom> => (await nextService()).auth

/** Who sends the request that is being answered. */
export async function currentAsker(): Promise<Asker> {
  const given = await headers()
  const address = readPeer(given)?.address ?? null
  return { address: address === null ? null : plainAddress(address), agent: (given.get('user-agent') ?? '').slice(0, longestAgent) }
}

/** Returns true if the request that is being answered was sent from this machine. */
export const isCurrentRequestLocal = async (): Promise<boolean> => isLocalRequest(await headers())

/** An address without what Next's router adds to it: whoever comes back to one with that gets no page that a browser can show. */
const withoutRouterMark = (path: string): string => path.replace(/(?<=[?&])_rsc=[^&]*&?/, '').replace(/[?&]$/, '')

/** The address of the page that is being answered, for coming back to it. */
export async function currentPath(): Promise<string> {
  return withoutRouterMark(readPeer(await headers())?.url ?? '/portal')
}

/** Who is signed in, looked up once for each request. */
export const currentViewer = cache(async (): Promise<Viewer | null> => {
  const room = await currentRoom()
  const cookie = (await cookies()).get(cookieName(room, 'session'))?.value
  if (cookie === undefined) return null
  try {
    return await viewerOf(room, await currentAsker(), cookie)
  } catch (error) {
    throw error instanceof Error ? withReference(error) : error
  }
})

/** Whether the browser brings a sign-in, be it one that has ended: known without asking anything, so that public pages cost no more for it. */
export const bringsSession = async (): Promise<boolean> => (await cookies()).getAll().some(({ name }) => /^(?:__Host-)?svc\.session$/.test(name))

/** Whose keys and credits a page may use: those of whoever is signed in, and nobody's while an administrator looks at somebody else's portal. */
export async function currentSpender(): Promise<Viewer | null> {
  const viewer = await currentViewer()
  return viewer?.viewing ? null : viewer
}

/** What a cookie of the room says in this request. */
export async function currentCookie<Kind extends CookieKind>(kind: Kind): Promise<CookieClaims[Kind] | null> {
  const room = await currentRoom()
  return openCookie(room, kind, (await cookies()).get(cookieName(room, kind))?.value)
}

/** Which accounts this browser knows as its own. */
export async function currentBearer(): Promise<Bearer> {
  const [pending, viewer] = [await currentCookie('sign-up'), await currentViewer()]
  return { signedUp: pending?.account ?? null, signedIn: viewer?.publicId ?? null }
}

/** Sets cookies with the answer. Only where there is one to come: in actions and route handlers. */
export async function leaveCookies(...left: readonly SetCookie[]): Promise<void> {
  const jar = await cookies()
  for (const { name, value, options } of left) jar.set(name, value, options)
}

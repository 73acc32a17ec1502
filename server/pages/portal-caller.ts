import { redirect } from 'next/navigation'
import { cache } from 'react'
import { getViewAs, type ViewAsSession } from '#server/admin/view-as/view-as.ts'
import { auth } from '#server/auth/auth.ts'
import type { CookieJar } from '#server/auth/cookies.ts'
import { currentAsker, currentAuthContext, currentCookie, currentPath, leaveCookies } from '#server/auth/current-request.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { nextService } from '#server/runtime/next-service.ts'
import type { PortalContext } from '#server/trpc/procedures.ts'
import { createPortalCaller } from '#server/trpc/root.ts'

const cookies: CookieJar = { read: currentCookie, set: leaveCookies }

/** Returns the context of the tRPC procedures for the current request. */
export const portalContext = cache(async (): Promise<PortalContext> => {
  const [deps, { billing, webhooks, marketDeps: market }] = [await currentAuthContext(), await nextService()]
  return { deps, billing, webhooks, market, asker: await currentAsker(), viewer: await auth(), viewing: await currentViewAs(), cookies }
})

/** Returns a tRPC caller for the portal's procedures, for use in pages. The checks are the same as over HTTP. */
export const portalCaller = cache(async () => createPortalCaller(await portalContext()))

/** Returns the view-as session of the signed-in administrator, or null if there is none. */
export const currentViewAs = cache(async (): Promise<ViewAsSession | null> => getViewAs(await currentAuthContext(), await auth()))

/**
 * Returns the account whose portal is shown: the user's own account, or the one being viewed. Without a session, redirects to sign-in, after which the user
 * returns to the current page.
 */
export async function signedIn(): Promise<Viewer> {
  const [viewer, viewing] = [await auth(), await currentViewAs()]
  if (viewer === null) redirect(`/sign-in?next=${encodeURIComponent(await currentPath())}`)
  if (viewing === null) return viewer
  if (viewing.as === null) redirect('/admin/viewing')
  return viewing.as
}

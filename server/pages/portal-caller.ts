import { redirect } from 'next/navigation'
import { cache } from 'react'
import { getViewAs, type ViewAsSession } from '#server/admin/view-as/view-as.ts'
import { auth } from '#server/auth/auth.ts'
import type { CookieJar } from '#server/auth/cookies.ts'
import { currentAsker, currentAuthContext, currentCookie, currentPath, leaveCookies } from '#server/auth/current-request.ts'
import { isPersonalPage } from '#server/auth/page-access.ts'
import { shownAccount } from '#server/auth/shown-account.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { nextService } from '#server/runtime/next-service.ts'
import type { PortalContext } from '#server/trpc/procedures.ts'
import { createPortalCaller } from '#server/trpc/root.ts'

const cookies: CookieJar = { read: currentCookie, set: leaveCookies }

/** Returns the context of the tRPC procedures for the current request. */
export const portalContext = cache(async (): Promise<PortalContext> => {
  const [deps, { billing, webhooks, alerts, marketDeps: market }] = [await currentAuthContext(), await nextService()]
  return { deps, billing, webhooks, alerts, market, asker: await currentAsker(), ...(await currentUser()), page: null, cookies }
})

/** Returns a tRPC caller for the portal's procedures, for use in pages. The checks are the same as over HTTP. */
export const portalCaller = cache(async () => createPortalCaller(await portalContext()))

/** Returns the signed-in user, the account that is shown and the view-as session. Read once per request. */
const currentUser = cache(async () => {
  const [deps, viewer] = [await currentAuthContext(), await auth()]
  return { viewer, shown: viewer === null ? null : await shownAccount(deps, viewer), viewing: await currentViewAs() }
})

/** Returns the view-as session of the signed-in administrator, or null if there is none. */
export const currentViewAs = cache(async (): Promise<ViewAsSession | null> => getViewAs(await currentAuthContext(), await auth()))

/**
 * Returns the account whose portal is shown: the user's own account, one that they are a member of, or the one being viewed. Without a session, redirects to sign-in, after which the user
 * returns to the current page.
 */
export async function signedIn(): Promise<Viewer> {
  const { shown, viewing } = await currentUser()
  if (shown === null) redirect(`/sign-in?next=${encodeURIComponent(await currentPath())}`)
  if (viewing === null) {
    // Their account was transferred and they were removed from it, so only their own login is left.
    if (shown.member.role === null && !isPersonalPage(await currentPath())) redirect('/portal/settings')
    return shown
  }
  if (viewing.as === null) redirect('/admin/viewing')
  return viewing.as
}

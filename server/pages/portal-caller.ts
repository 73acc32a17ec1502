import { redirect } from 'next/navigation'
import { cache } from 'react'
import { currentAsker, currentPath, currentRoom, currentViewer } from '#server/auth/current-request.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { type Viewing, viewingOf } from '#server/auth/viewing.ts'
import { nextService } from '#server/runtime/next-service.ts'
import type { PortalContext } from '#server/trpc/procedures.ts'
import { createPortalCaller } from '#server/trpc/root.ts'

/** What procedures know of the request that is being answered. */
export const portalContext = cache(
  async (): Promise<PortalContext> => ({
    room: await currentRoom(),
    billing: (await nextService()).billing,
    webhooks: (await nextService()).webhooks,
    market: (await nextService()).marketRoom,
    operations: (await nextService()).operations,
    asker: await currentAsker(),
    viewer: await currentViewer(),
    viewing: await currentViewing(),
  }),
)

/** The portal's procedures, called from a page or an action by the same rules as over HTTP. */
export const portalCaller = cache(async () => createPortalCaller(await portalContext()))

/** The same for what somebody does about themselves, whoever's portal they look at: leaving. */
export const ownPortalCaller = async () => createPortalCaller({ ...(await portalContext()), viewing: null })

/** The portal of somebody else that is looked at; null: it is the own one. */
export const currentViewing = cache(async (): Promise<Viewing | null> => viewingOf(await currentRoom(), await currentViewer()))

/**
 * Whose portal is shown: that of whoever is signed in, or of the account that an administrator looks at. Whoever is not signed in goes to the sign-in, and
 * comes back here.
 */
export async function signedIn(): Promise<Viewer> {
  const [viewer, viewing] = [await currentViewer(), await currentViewing()]
  if (viewer === null) redirect(`/sign-in?next=${encodeURIComponent(await currentPath())}`)
  if (viewing === null) return viewer
  if (viewing.as === null) redirect('/admin/viewing')
  return viewing.as
}

import { redirect } from 'next/navigation'
import { cache } from 'react'
import { currentAsker, currentPath, currentRoom, currentViewer } from '../server/auth/current-request.ts'
import type { Viewer } from '../server/auth/viewer.ts'
import { nextService } from '../server/next-service.ts'
import type { PortalContext } from '../server/trpc/procedures.ts'
import { createPortalCaller } from '../server/trpc/root.ts'

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
  }),
)

/** The portal's procedures, called from a page or an action by the same rules as over HTTP. */
export const portalCaller = cache(async () => createPortalCaller(await portalContext()))

/** Who is signed in. Whoever is not goes to the sign-in, and comes back here. */
export async function signedIn(): Promise<Viewer> {
  const viewer = await currentViewer()
  if (viewer === null) redirect(`/sign-in?next=${encodeURIComponent(await currentPath())}`)
  return viewer
}

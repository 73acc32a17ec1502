import { cache } from 'react'
import { auth } from '#server/auth/auth.ts'
import { mayAdminister, type Viewer } from '#server/auth/viewer.ts'
import { createAdminCaller } from '#server/trpc/root.ts'
import { portalContext } from '../portal-caller.ts'

/** Returns a tRPC caller for the admin procedures, for downloads and pages that need more than queries. The checks are the same as over HTTP. */
export const adminCaller = cache(async () => createAdminCaller(await portalContext()))

/** Returns the signed-in administrator, or null if the user isn't an administrator or is blocked. Admin pages then return 404. */
export async function currentAdmin(): Promise<Viewer | null> {
  const viewer = await auth()
  return viewer?.isAdmin && viewer.state !== 'blocked' ? viewer : null
}

/** Returns true if the user may not see admin data. In that case, pages render nothing and the layout explains why. */
export async function lacksAdminAccess(): Promise<boolean> {
  const viewer = await currentAdmin()
  return viewer === null || !mayAdminister(viewer)
}

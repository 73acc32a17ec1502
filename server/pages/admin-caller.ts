import { cache } from 'react'
import { currentViewer } from '#server/auth/current-request.ts'
import { mayAdminister, type Viewer } from '#server/auth/viewer.ts'
import { createAdminCaller } from '#server/trpc/admin-root.ts'
import { portalContext } from './portal-caller.ts'

/** Caller of the admin procedures for pages and actions. The same rules apply as over HTTP. */
export const adminCaller = cache(async () => createAdminCaller(await portalContext()))

/** Returns the signed-in administrator, or null if the viewer isn't one or is blocked; admin pages are not found then. */
export async function currentAdmin(): Promise<Viewer | null> {
  const viewer = await currentViewer()
  return viewer?.isAdmin && viewer.state !== 'blocked' ? viewer : null
}

/** True if the viewer may not see admin data. Pages then render nothing; the layout explains why. */
export async function lacksAdminAccess(): Promise<boolean> {
  const viewer = await currentAdmin()
  return viewer === null || !mayAdminister(viewer)
}

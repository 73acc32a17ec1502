import { cache } from 'react'
import { currentViewer } from '#server/auth/current-request.ts'
import { mayAdminister, type Viewer } from '#server/auth/viewer.ts'
import { createAdminCaller } from '#server/trpc/admin-root.ts'
import { portalContext } from './portal-caller.ts'

/** The procedures of the desk, called from a page or an action by the same rules as over HTTP. */
export const adminCaller = cache(async () => createAdminCaller(await portalContext()))

/** Who works at the desk; null: nobody who may, and then there is no page. */
export async function currentAdmin(): Promise<Viewer | null> {
  const viewer = await currentViewer()
  return viewer?.isAdmin && viewer.state !== 'blocked' ? viewer : null
}

/** Whether a page of the desk has to hold back what it would show: its frame says why. */
export async function lacksAdminAccess(): Promise<boolean> {
  const viewer = await currentAdmin()
  return viewer === null || !mayAdminister(viewer)
}

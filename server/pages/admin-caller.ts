import { cache } from 'react'
import { currentViewer } from '#server/auth/current-request.ts'
import { mayAdminister, type Viewer } from '#server/auth/viewer.ts'
import { createDeskCaller } from '#server/trpc/desk.ts'
import { portalContext } from './portal-caller.ts'

/** The procedures of the desk, called from a page or an action by the same rules as over HTTP. */
export const deskCaller = cache(async () => createDeskCaller(await portalContext()))

/** Who works at the desk; null: nobody who may, and then there is no page. */
export async function atDesk(): Promise<Viewer | null> {
  const viewer = await currentViewer()
  return viewer?.isAdmin && viewer.state !== 'blocked' ? viewer : null
}

/** Whether a page of the desk has to hold back what it would show: its frame says why. */
export async function isDeskShut(): Promise<boolean> {
  const viewer = await atDesk()
  return viewer === null || !mayAdminister(viewer)
}

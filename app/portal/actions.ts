'use server'

import { redirect } from 'next/navigation'
import { dropCookie } from '../../server/auth/cookies.ts'
import { currentRoom, currentViewer, leaveCookies } from '../../server/auth/current-request.ts'
import { ownPortalCaller } from '../portal-caller.ts'

/** Signs this device out: the session ends in the database, the cookie goes. */
export async function signOutAction(): Promise<void> {
  const viewer = await currentViewer()
  if (viewer) await (await ownPortalCaller()).session.end({ id: viewer.sessionId })
  const room = await currentRoom()
  await leaveCookies(dropCookie(room, 'session'), dropCookie(room, 'welcome'))
  redirect('/sign-in')
}

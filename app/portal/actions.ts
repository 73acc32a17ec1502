'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { dropCookie } from '#server/auth/cookies.ts'
import { currentRoom, currentViewer, leaveCookies } from '#server/auth/current-request.ts'
import { answerForm } from '#server/pages/answer-form.ts'
import { ownPortalCaller, portalCaller } from '#server/pages/portal-caller.ts'

/** Signs this device out: the session ends in the database, the cookie goes. */
export async function signOutAction(): Promise<void> {
  const viewer = await currentViewer()
  if (viewer) await (await ownPortalCaller()).session.end({ id: viewer.sessionId })
  const room = await currentRoom()
  await leaveCookies(dropCookie(room, 'session'), dropCookie(room, 'welcome'))
  redirect('/signed-out')
}

/** Sends the link of the confirmation again. Who has confirmed meanwhile sees the portal as it is now. */
export async function sendLinkAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const { isSent } = await (await portalCaller()).security.sendConfirmation()
    return isSent ? 'A new link is on its way.' : redirect('/portal')
  })
}

'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { withAccount } from '#server/auth/cookies.ts'
import { currentAsker, currentAuthContext, currentBearer } from '#server/auth/current-request.ts'
import { type Confirmed, confirmEmail, replaceLink } from '#server/auth/email-confirmation.ts'
import { beginSession } from '#server/auth/sessions.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'
import { currentDevice, keepSignIn, welcome } from '#server/pages/sign-in.ts'

async function continueSignUp(confirmed: Confirmed): Promise<never> {
  const { account, accountId, sessionVersion, purpose, mayEnter } = confirmed
  if (!mayEnter) redirect(`/sign-in?done=${purpose === 'confirm' ? 'confirmed' : 'changed'}`)
  if (purpose === 'change') redirect('/portal/settings?done=email')
  const deps = await currentAuthContext()
  const asker = await currentAsker()
  const signedIn = await beginSession(deps, asker, { id: accountId, publicId: account, sessionVersion })
  if (signedIn === null) redirect('/sign-in?done=confirmed')
  await keepSignIn({ signedIn, device: withAccount(await currentDevice(), account) })
  await welcome(deps, asker, confirmed)
  redirect('/portal/welcome')
}

/** Confirms an email address when the user clicks the button. Opening the link is not enough, because mail scanners open links too. */
export async function confirmAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const token = getText(form, 'token')
    const confirmed = await confirmEmail(await currentAuthContext(), await currentAsker(), token, await currentBearer(), getText(form, 'password'))
    if (confirmed === null) redirect(`/confirm/${encodeURIComponent(token)}`)
    return continueSignUp(confirmed)
  })
}

/** Sends a new link in place of one that was used or has expired. The response doesn't reveal whether one was sent. */
export async function newLinkAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await replaceLink(await currentAuthContext(), await currentAsker(), getText(form, 'token'))
    redirect('/confirm?sent=1')
  })
}

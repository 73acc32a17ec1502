'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { currentAsker, currentAuthContext } from '#server/auth/current-request.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'
import { replaceLink } from '#server/self-service/email-confirmation.ts'

/** Sends a new link in place of one that was used or has expired. The response doesn't reveal whether a link was sent. */
export async function newLinkAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await replaceLink(await currentAuthContext(), await currentAsker(), getText(form, 'token'))
    redirect('/confirm?sent=1')
  })
}

'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'
import { portalCaller } from '#server/pages/portal-caller.ts'

/** Resends the confirmation link. Reloads the portal if the email has been confirmed in the meantime. */
export async function sendLinkAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const { isSent } = await (await portalCaller()).security.sendConfirmation()
    return isSent ? "We've sent a new link." : redirect('/portal')
  })
}

export async function setPurposeAction(previous: FormState, form: FormData): Promise<FormState> {
  const purpose = getText(form, 'purpose')
  const state = await answerForm(previous, form, async () => {
    await (await portalCaller()).profile.setPurpose({ purpose })
    return 'Saved.'
  })
  // Keeps the saved text in the form field.
  return { ...state, typed: { purpose: [purpose] } }
}

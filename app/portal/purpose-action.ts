'use server'

import type { FormState } from '#components/forms/form-state.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'
import { portalCaller } from '#server/pages/portal-caller.ts'

export async function setPurposeAction(previous: FormState, form: FormData): Promise<FormState> {
  const purpose = getText(form, 'purpose')
  const state = await answerForm(previous, form, async () => {
    await (await portalCaller()).profile.setPurpose({ purpose })
    return 'Saved.'
  })
  // Keeps the saved text in the field.
  return { ...state, typed: { purpose: [purpose] } }
}

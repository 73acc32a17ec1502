'use server'

import type { FormState } from '../../components/ui/form-state.ts'
import { answerForm, textOf } from '../answer-form.ts'
import { portalCaller } from '../portal-caller.ts'

export async function setPurposeAction(previous: FormState, form: FormData): Promise<FormState> {
  const purpose = textOf(form, 'purpose')
  const state = await answerForm(previous, form, async () => {
    await (await portalCaller()).profile.setPurpose({ purpose })
    return 'Saved.'
  })
  // What was saved stays in the field.
  return { ...state, typed: { purpose: [purpose] } }
}

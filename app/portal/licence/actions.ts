'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'
import { portalCaller } from '#server/pages/portal-caller.ts'

export async function acceptLicenceAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await portalCaller()).licence.accept({ label: getText(form, 'label') })
    redirect('/portal/licence')
  })
}

'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '../../../components/ui/form-state.ts'
import { answerForm, textOf } from '../../answer-form.ts'
import { portalCaller } from '../../portal-caller.ts'

export async function acceptLicenceAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await portalCaller()).licence.accept({ label: textOf(form, 'label') })
    redirect('/portal/licence')
  })
}

'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '../../../components/ui/form-state.ts'
import { answerForm, textOf } from '../../answer-form.ts'
import { deskCaller } from '../../desk-caller.ts'

type Availability = 'open' | 'test-only' | 'coming-soon'

export async function setAvailabilityAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const endpoint = textOf(form, 'endpoint')
    await (await deskCaller()).admin.endpoints.setAvailability({
      endpoint,
      from: textOf(form, 'from') as Availability,
      to: textOf(form, 'to') as Availability,
      title: textOf(form, 'title'),
      body: textOf(form, 'body'),
      reason: textOf(form, 'reason'),
    })
    redirect(`/admin/endpoints/${endpoint}`)
  })
}

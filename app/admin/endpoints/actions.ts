'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { adminCaller } from '#server/pages/admin-caller.ts'
import { answerForm, textOf } from '#server/pages/answer-form.ts'

type Availability = 'open' | 'test-only' | 'coming-soon'

export async function setAvailabilityAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const endpoint = textOf(form, 'endpoint')
    await (await adminCaller()).admin.endpoints.setAvailability({
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

'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { adminCaller } from '#server/pages/admin/admin-pages.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'

type Availability = 'open' | 'test-only' | 'coming-soon'

export async function setAvailabilityAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const endpoint = getText(form, 'endpoint')
    await (await adminCaller()).admin.endpoints.setAvailability({
      endpoint,
      from: getText(form, 'from') as Availability,
      to: getText(form, 'to') as Availability,
      title: getText(form, 'title'),
      body: getText(form, 'body'),
      reason: getText(form, 'reason'),
    })
    redirect(`/admin/endpoints/${endpoint}`)
  })
}

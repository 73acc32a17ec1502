'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { adminCaller } from '#server/pages/admin/admin-pages.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'

/** Approves or declines a proposal, depending on the button. */
export async function decideAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const decision = getText(form, 'decision')
    if (decision !== 'approve' && decision !== 'decline') throw new FieldsError({ form: 'Choose Approve or Decline.' })
    await (await adminCaller()).admin.credits.decide({ id: getText(form, 'id'), isApproved: decision === 'approve', reason: getText(form, 'reason') })
    redirect(`/admin/credits?done=${decision}`)
  })
}

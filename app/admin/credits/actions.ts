'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { adminCaller } from '#server/pages/admin-caller.ts'
import { answerForm, textOf } from '#server/pages/answer-form.ts'

/** Decides a proposal: the button says how. */
export async function decideAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const decision = textOf(form, 'decision')
    if (decision !== 'approve' && decision !== 'decline') throw new FieldsError({ form: 'Choose whether to approve or to decline.' })
    await (await adminCaller()).admin.credits.decide({ id: textOf(form, 'id'), isApproved: decision === 'approve', reason: textOf(form, 'reason') })
    redirect(`/admin/credits?done=${decision}`)
  })
}

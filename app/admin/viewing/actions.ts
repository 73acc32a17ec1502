'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { adminCaller } from '#server/pages/admin-caller.ts'
import { answerForm, textOf } from '#server/pages/answer-form.ts'
import { currentViewing } from '#server/pages/portal-caller.ts'

/** Begins to look at the portal of an account, and goes there. */
export async function beginViewingAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.viewing.begin({ account: textOf(form, 'account'), reason: textOf(form, 'reason') })
    redirect('/portal')
  })
}

/** Goes back to the own portal, from a page of either. */
export async function leaveViewAction(): Promise<void> {
  const viewing = await currentViewing()
  if (viewing === null) redirect('/portal')
  await (await adminCaller()).admin.viewing.end({ reason: 'Left the view.' })
  redirect(`/admin/accounts/${viewing.publicId}/viewing`)
}

'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { adminCaller } from '#server/pages/admin/admin-pages.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'
import { currentViewAs } from '#server/pages/portal-caller.ts'

/** Starts viewing the portal as an account and redirects there. */
export async function beginViewAsAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.viewing.begin({ account: getText(form, 'account'), reason: getText(form, 'reason') })
    redirect('/portal')
  })
}

/** Ends the view-as session and returns to the administrator's own portal. */
export async function endViewAction(): Promise<void> {
  const viewing = await currentViewAs()
  if (viewing === null) redirect('/portal')
  await (await adminCaller()).admin.viewing.end({ reason: 'Stopped viewing.' })
  redirect(`/admin/accounts/${viewing.publicId}/viewing`)
}

'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { sitePath } from '#server/auth/same-origin.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'
import { ownPortalCaller } from '#server/pages/portal-caller.ts'

/** Re-authenticates a signed-in user, then redirects. The password or code is checked by `answerForm`. */
export async function confirmIdentityAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await ownPortalCaller()).security.requireRecent()
    redirect(sitePath(getText(form, 'next')))
  })
}

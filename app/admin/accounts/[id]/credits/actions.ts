'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { signedTyped } from '#server/api/contract/formats.ts'
import { adminCaller } from '#server/pages/admin/admin-pages.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'

/** Adjusts credits or proposes an adjustment. The page then shows which of the two happened. */
export async function adjustAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const account = getText(form, 'account')
    const asked = { account, key: getText(form, 'key'), credits: signedTyped(getText(form, 'credits')) ?? 0 }
    const { state } = await (await adminCaller()).admin.credits.adjust({ ...asked, note: getText(form, 'note'), reason: getText(form, 'reason') })
    redirect(`/admin/accounts/${account}/credits?done=${state}`)
  })
}

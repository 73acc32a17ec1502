'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { adminCaller, getAddress, getTerms } from '#server/pages/admin/admin-pages.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'

const backTo = (form: FormData) => redirect(`/admin/products/${encodeURIComponent(getText(form, 'sourceKey'))}`)

const getAsked = (form: FormData) => ({
  sourceKey: getText(form, 'sourceKey'),
  seen: getText(form, 'seen'),
  until: getText(form, 'until'),
  reason: getText(form, 'reason'),
})

/** Validates the entered terms and redirects to the preview of the correction. */
export async function previewCorrectionAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const [sourceKey, terms] = [getText(form, 'sourceKey'), getTerms((name) => getText(form, name))]
    await (await adminCaller()).admin.products.preview({ sourceKey, ...terms })
    return redirect(getAddress(sourceKey, terms))
  })
}

export async function correctProductAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.products.correct({ ...getAsked(form), ...getTerms((name) => getText(form, name)) })
    return backTo(form)
  })
}

export async function withdrawProductAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.products.withdraw(getAsked(form))
    return backTo(form)
  })
}

export async function endCorrectionAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.products.endCorrection({ sourceKey: getText(form, 'sourceKey'), reason: getText(form, 'reason') })
    return backTo(form)
  })
}

'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { addressOf, termsOf } from '#server/pages/admin/product-terms.ts'
import { adminCaller } from '#server/pages/admin-caller.ts'
import { answerForm, textOf } from '#server/pages/answer-form.ts'

const backTo = (form: FormData) => redirect(`/admin/products/${encodeURIComponent(textOf(form, 'sourceKey'))}`)

const askedOf = (form: FormData) => ({
  sourceKey: textOf(form, 'sourceKey'),
  seen: textOf(form, 'seen'),
  until: textOf(form, 'until'),
  reason: textOf(form, 'reason'),
})

/** Validates the entered terms and redirects to the preview of the correction. */
export async function previewCorrectionAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const [sourceKey, terms] = [textOf(form, 'sourceKey'), termsOf((name) => textOf(form, name))]
    await (await adminCaller()).admin.products.preview({ sourceKey, ...terms })
    return redirect(addressOf(sourceKey, terms))
  })
}

export async function correctProductAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.products.correct({ ...askedOf(form), ...termsOf((name) => textOf(form, name)) })
    return backTo(form)
  })
}

export async function withdrawProductAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.products.withdraw(askedOf(form))
    return backTo(form)
  })
}

export async function endCorrectionAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.products.endCorrection({ sourceKey: textOf(form, 'sourceKey'), reason: textOf(form, 'reason') })
    return backTo(form)
  })
}

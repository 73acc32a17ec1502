'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { adminCaller } from '#server/pages/admin-caller.ts'
import { answerForm, textOf } from '#server/pages/answer-form.ts'

const backTo = (form: FormData) => redirect(`/admin/imports/${encodeURIComponent(textOf(form, 'source'))}`)

const heldOf = (form: FormData) => ({ feed: textOf(form, 'feed'), reason: textOf(form, 'reason') })

export async function fetchSourceAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.imports.fetch({ source: textOf(form, 'source'), reason: textOf(form, 'reason') })
    return backTo(form)
  })
}

export async function publishFeedAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.imports.publish(heldOf(form))
    return backTo(form)
  })
}

export async function declineFeedAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.imports.decline(heldOf(form))
    return backTo(form)
  })
}

'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { adminCaller } from '#server/pages/admin/admin-pages.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'

const backTo = (form: FormData) => redirect(`/admin/imports/${encodeURIComponent(getText(form, 'source'))}`)

const getHeld = (form: FormData) => ({ feed: getText(form, 'feed'), reason: getText(form, 'reason') })

export async function fetchSourceAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.imports.fetch({ source: getText(form, 'source'), reason: getText(form, 'reason') })
    return backTo(form)
  })
}

export async function publishFeedAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.imports.publish(getHeld(form))
    return backTo(form)
  })
}

export async function declineFeedAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.imports.decline(getHeld(form))
    return backTo(form)
  })
}

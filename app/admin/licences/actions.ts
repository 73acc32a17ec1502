'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { adminCaller } from '#server/pages/admin/admin-pages.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'

const list = '/admin/licences'

/** Reads the fields of a licence version, and the reason for the change, from a form. */
const textIn = (form: FormData) => ({
  label: getText(form, 'label'),
  changes: getText(form, 'changes'),
  body: getText(form, 'body'),
  graceEndsOn: getText(form, 'graceEndsOn'),
  reason: getText(form, 'reason'),
})

const seenIn = (form: FormData) => ({ id: getText(form, 'id'), revision: Number(getText(form, 'revision')), reason: getText(form, 'reason') })

export async function beginLicenceAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const { id } = await (await adminCaller()).admin.licences.begin(textIn(form))
    redirect(`${list}/${id}`)
  })
}

export async function rewriteLicenceAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.licences.rewrite({ ...textIn(form), ...seenIn(form) })
    redirect(`${list}/${getText(form, 'id')}`)
  })
}

export async function discardLicenceAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.licences.discard(seenIn(form))
    redirect(list)
  })
}

export async function publishLicenceAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.licences.publish(seenIn(form))
    redirect(list)
  })
}

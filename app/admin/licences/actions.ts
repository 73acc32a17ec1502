'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { adminCaller } from '#server/pages/admin-caller.ts'
import { answerForm, textOf } from '#server/pages/answer-form.ts'

const list = '/admin/licences'

/** Reads the fields of a version and the reason from a form. */
const textIn = (form: FormData) => ({
  label: textOf(form, 'label'),
  changes: textOf(form, 'changes'),
  body: textOf(form, 'body'),
  graceEndsOn: textOf(form, 'graceEndsOn'),
  reason: textOf(form, 'reason'),
})

const seenIn = (form: FormData) => ({ id: textOf(form, 'id'), revision: Number(textOf(form, 'revision')), reason: textOf(form, 'reason') })

export async function beginLicenceAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const { id } = await (await adminCaller()).admin.licences.begin(textIn(form))
    redirect(`${list}/${id}`)
  })
}

export async function rewriteLicenceAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.licences.rewrite({ ...textIn(form), ...seenIn(form) })
    redirect(`${list}/${textOf(form, 'id')}`)
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

'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import type { ChangeKind } from '#server/api/contract/changelog.ts'
import { adminCaller } from '#server/pages/admin/admin-pages.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'

const list = '/admin/changelog'

/** Reads the fields of a changelog entry, and the reason for the change, from a form. */
const changeIn = (form: FormData) => ({
  kind: getText(form, 'kind') as ChangeKind,
  title: getText(form, 'title'),
  body: getText(form, 'body'),
  endpointIds: getText(form, 'endpointIds')
    .split(/[\s,]+/)
    .filter((id) => id !== ''),
  reason: getText(form, 'reason'),
})

const seenIn = (form: FormData) => ({ id: getText(form, 'id'), revision: Number(getText(form, 'revision')), reason: getText(form, 'reason') })

export async function beginChangeAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const { id } = await (await adminCaller()).admin.changelog.begin(changeIn(form))
    redirect(`${list}/${id}`)
  })
}

export async function rewriteChangeAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.changelog.rewrite({ ...changeIn(form), ...seenIn(form) })
    redirect(`${list}/${getText(form, 'id')}`)
  })
}

export async function discardChangeAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.changelog.discard(seenIn(form))
    redirect(list)
  })
}

export async function publishChangeAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.changelog.publish(seenIn(form))
    redirect(list)
  })
}

'use server'

import { refresh } from 'next/cache'
import type { FormState } from '#components/forms/form-state.ts'
import { redeliveryMessage } from '#components/portal/webhooks/webhook-labels.tsx'
import { utc } from '#server/api/contract/time-zones.ts'
import { adminCaller, currentAdmin } from '#server/pages/admin/admin-pages.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'
import { continueAfter, readRange, typedToContinue } from '#server/pages/webhook-pages.ts'
import { reasonFault } from '#server/trpc/routers/admin/admin-input.ts'

const asked = (form: FormData) => ({ endpoint: getText(form, 'endpoint'), reason: getText(form, 'reason') })

export async function oneAgainAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await adminCaller()).admin.deliveries.redeliver({ ...asked(form), delivery: getText(form, 'delivery') })
    refresh()
    return 'Delivery queued again.'
  })
}

export async function failedAgainAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const again = await (await adminCaller()).admin.deliveries.redeliverFailed(asked(form))
    refresh()
    return redeliveryMessage(again)
  })
}

export async function rangeAgainAction(previous: FormState, form: FormData): Promise<FormState> {
  let next: string | null = null
  const state = await answerForm(previous, form, async () => {
    const span = readRange(form, (await currentAdmin())?.timeZone ?? utc, { reason: reasonFault(getText(form, 'reason')) })
    const again = await (await adminCaller()).admin.deliveries.redeliverRange({ ...asked(form), ...span, after: continueAfter(form) })
    next = again.next
    refresh()
    return redeliveryMessage(again)
  })
  return next === null ? state : { ...state, typed: typedToContinue(form, next) }
}

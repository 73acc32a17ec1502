'use server'

import { refresh } from 'next/cache'
import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import type { SecretFormState } from '#components/portal/webhooks/webhook-form-state.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { NewWebhook } from '#server/api/contract/webhooks.ts'
import { answerForm, textOf, textsOf } from '#server/pages/answer-form.ts'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'
import { goesOnAfter, onTheirWay, spanOf, typedToGoOn } from '#server/pages/redelivery-form.ts'

type Made = NonNullable<SecretFormState['made']>
type Portal = Awaited<ReturnType<typeof portalCaller>>

async function answerSecretForm(previous: FormState, form: FormData, make: (portal: Portal) => Promise<Made>): Promise<SecretFormState> {
  let made: Made | null = null
  const state = await answerForm(previous, form, async () => {
    made = await make(await portalCaller())
    return null
  })
  return { ...state, made }
}

/** Percentage points as they are typed, in hundredths; null when there are none. @throws FieldsError */
function minChangeOf(text: string): number | null {
  if (text.trim() === '') return null
  const [, whole = '', rest = ''] = /^(\d{1,2})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? []
  const bp = Number(whole) * 100 + Number(rest.padEnd(2, '0'))
  if (whole === '' || bp === 0) throw new FieldsError({ minChange: 'Enter percentage points such as 0.25.' })
  return bp
}

/** What the fields of an endpoint say. @throws FieldsError */
function webhookOf(form: FormData): NewWebhook {
  const types = textsOf(form, 'types') as NewWebhook['types']
  if (types.length === 0) throw new FieldsError({ types: 'Choose at least one event.' })
  return {
    url: textOf(form, 'url'),
    description: textOf(form, 'description'),
    types,
    providers: textOf(form, 'providers')
      .split(/[\s,]+/)
      .filter((slug) => slug !== ''),
    accountTypes: textsOf(form, 'accountTypes') as NewWebhook['accountTypes'],
    minChangeBp: minChangeOf(textOf(form, 'minChange')),
  }
}

export async function askForWebhooksAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await portalCaller()).webhooks.ask()
    refresh()
    return 'Your request is with us.'
  })
}

export async function createWebhookAction(previous: SecretFormState, form: FormData): Promise<SecretFormState> {
  return answerSecretForm(previous, form, (portal) => portal.webhooks.create(webhookOf(form)))
}

export async function updateWebhookAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const id = textOf(form, 'id')
    await (await portalCaller()).webhooks.update({ ...webhookOf(form), id })
    redirect(`/portal/webhooks/${id}`)
  })
}

export async function rotateSecretAction(previous: SecretFormState, form: FormData): Promise<SecretFormState> {
  return answerSecretForm(previous, form, async (portal) => {
    const id = textOf(form, 'id')
    const { secret } = await portal.webhooks.rotate({ id })
    refresh()
    return { id, secret }
  })
}

/** Does one thing to the endpoint of a form, and shows the page as it is then. */
async function act(previous: FormState, form: FormData, work: (portal: Portal, id: string) => Promise<string | null>): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const done = await work(await portalCaller(), textOf(form, 'id'))
    refresh()
    return done
  })
}

export async function testWebhookAction(previous: FormState, form: FormData): Promise<FormState> {
  return act(previous, form, async (portal, id) => {
    const { delivery } = await portal.webhooks.test({ id, type: null })
    return `The test event is on its way as ${delivery}.`
  })
}

export async function pauseWebhookAction(previous: FormState, form: FormData): Promise<FormState> {
  return act(previous, form, (portal, id) => portal.webhooks.pause({ id }).then(() => null))
}

export async function resumeWebhookAction(previous: FormState, form: FormData): Promise<FormState> {
  return act(previous, form, (portal, id) => portal.webhooks.resume({ id }).then(() => null))
}

export async function redeliverAction(previous: FormState, form: FormData): Promise<FormState> {
  return act(previous, form, async (portal, id) => {
    await portal.webhooks.redeliver({ id, delivery: textOf(form, 'delivery') })
    return 'It is on its way again.'
  })
}

export async function redeliverFailedAction(previous: FormState, form: FormData): Promise<FormState> {
  return act(previous, form, async (portal, id) => onTheirWay(await portal.webhooks.redeliverFailed({ id })))
}

export async function redeliverRangeAction(previous: FormState, form: FormData): Promise<FormState> {
  let next: string | null = null
  const state = await act(previous, form, async (portal, id) => {
    const span = spanOf(form, (await signedIn()).timeZone)
    const again = await portal.webhooks.redeliverRange({ id, ...span, after: goesOnAfter(form) })
    next = again.next
    return onTheirWay(again)
  })
  return next === null ? state : { ...state, typed: typedToGoOn(form, next) }
}

export async function deleteWebhookAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await portalCaller()).webhooks.delete({ id: textOf(form, 'id') })
    redirect('/portal/webhooks')
  })
}

'use server'

import { refresh } from 'next/cache'
import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import type { SecretFormState } from '#components/portal/secret-form-states.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { NewWebhook } from '#server/api/contract/webhooks.ts'
import { answerForm, getText, getTexts } from '#server/pages/answer-form.ts'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'
import { continueAfter, readRange, redeliveryMessage, typedToContinue } from '#server/pages/webhook-pages.ts'

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

/** Parses percentage points and returns basis points, or null if the text is empty. @throws FieldsError if it is invalid */
function parseMinChange(text: string): number | null {
  if (text.trim() === '') return null
  const [, whole = '', rest = ''] = /^(\d{1,2})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? []
  const bp = Number(whole) * 100 + Number(rest.padEnd(2, '0'))
  if (whole === '' || bp === 0) throw new FieldsError({ minChange: 'Enter percentage points, e.g. 0.25.' })
  return bp
}

/** Reads the fields of a webhook endpoint from a form. @throws FieldsError */
function readWebhook(form: FormData): NewWebhook {
  const types = getTexts(form, 'types') as NewWebhook['types']
  if (types.length === 0) throw new FieldsError({ types: 'Choose at least one event.' })
  return {
    url: getText(form, 'url'),
    description: getText(form, 'description'),
    types,
    providers: getText(form, 'providers')
      .split(/[\s,]+/)
      .filter((slug) => slug !== ''),
    accountTypes: getTexts(form, 'accountTypes') as NewWebhook['accountTypes'],
    minChangeBp: parseMinChange(getText(form, 'minChange')),
  }
}

export async function askForWebhooksAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await portalCaller()).webhooks.ask()
    refresh()
    return "We've received your request."
  })
}

export async function createWebhookAction(previous: SecretFormState, form: FormData): Promise<SecretFormState> {
  return answerSecretForm(previous, form, (portal) => portal.webhooks.create(readWebhook(form)))
}

export async function updateWebhookAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const id = getText(form, 'id')
    await (await portalCaller()).webhooks.update({ ...readWebhook(form), id })
    redirect(`/portal/webhooks/${id}`)
  })
}

export async function rotateSecretAction(previous: SecretFormState, form: FormData): Promise<SecretFormState> {
  return answerSecretForm(previous, form, async (portal) => {
    const id = getText(form, 'id')
    const { secret } = await portal.webhooks.rotate({ id })
    refresh()
    return { id, secret }
  })
}

/** Runs an action on the webhook endpoint whose id is in the form, then refreshes the page. */
async function act(previous: FormState, form: FormData, work: (portal: Portal, id: string) => Promise<string | null>): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const done = await work(await portalCaller(), getText(form, 'id'))
    refresh()
    return done
  })
}

export async function testWebhookAction(previous: FormState, form: FormData): Promise<FormState> {
  return act(previous, form, async (portal, id) => {
    const { delivery } = await portal.webhooks.test({ id, type: null })
    return `Test event sent as ${delivery}.`
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
    await portal.webhooks.redeliver({ id, delivery: getText(form, 'delivery') })
    return 'Redelivering now.'
  })
}

export async function redeliverFailedAction(previous: FormState, form: FormData): Promise<FormState> {
  return act(previous, form, async (portal, id) => redeliveryMessage(await portal.webhooks.redeliverFailed({ id })))
}

export async function redeliverRangeAction(previous: FormState, form: FormData): Promise<FormState> {
  let next: string | null = null
  const state = await act(previous, form, async (portal, id) => {
    const span = readRange(form, (await signedIn()).timeZone)
    const again = await portal.webhooks.redeliverRange({ id, ...span, after: continueAfter(form) })
    next = again.next
    return redeliveryMessage(again)
  })
  return next === null ? state : { ...state, typed: typedToContinue(form, next) }
}

export async function deleteWebhookAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await portalCaller()).webhooks.delete({ id: getText(form, 'id') })
    redirect('/portal/webhooks')
  })
}

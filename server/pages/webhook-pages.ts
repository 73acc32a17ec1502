import { cache } from 'react'
import type { Sample } from '#components/portal/webhooks/webhook-detail.tsx'
import type { Choices } from '#components/portal/webhooks/webhook-fields.tsx'
import { accountTypeValues } from '#server/api/contract/account-types.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import { getMoments } from '#server/api/contract/time-zones.ts'
import { creditsPerEvent, type EventType, events, eventTypes, isOfAccount } from '#server/api/contract/webhooks.ts'
import { getText } from './answer-form.ts'
import { found } from './load.ts'
import { portalCaller } from './portal-caller.ts'

/** Returns an endpoint of the current account, cached per request; null if it doesn't exist. */
export const getWebhook = cache(async (id: string) => found((await portalCaller()).webhooks.read({ id })))

/** Returns an example payload for each event type, from the sample data. */
export async function getSamples(types: readonly EventType[]): Promise<Sample[]> {
  const { webhooks } = await portalCaller()
  return Promise.all(types.map(async (type) => ({ type, data: await webhooks.sample({ type }) })))
}

/** Events and account types that can be selected for an endpoint. */
export const choices: Choices = {
  types: eventTypes.map((name) => ({ name, when: events[name].when, isFree: isOfAccount(name) })),
  accountTypes: accountTypeValues.filter((type) => type !== 'all'),
}

/** Text that states the price of an event. */
export const eventPrice = `${creditsPerEvent} credits per event, charged on the first 2xx response. Retries, test events and ${eventTypes.filter(isOfAccount).join(', ')} are free.`

/** Reports how many deliveries are being redelivered. */
export function redeliveryMessage({ count, next }: { count: number; next: string | null }): string {
  const sent = count === 1 ? 'Redelivering 1 delivery.' : `Redelivering ${count} deliveries.`
  return next === null ? sent : `${sent} More remain. Redeliver to continue.`
}

const badTime = 'Enter a date and time, e.g. 2026-11-21T09:30.'

/**
 * Reads the time range of a form. If a time occurs twice because the clocks go back, the range includes both occurrences. `others` contains the errors of the
 * form's other fields.
 * @throws FieldsError
 */
export function readRange(form: FormData, zone: string, others: Readonly<Record<string, string | null>> = {}): { from: string; to: string } {
  const [from, to] = [getMoments(getText(form, 'from'), zone)?.first, getMoments(getText(form, 'to'), zone)?.last]
  const order = from && to && from >= to ? 'End must be after start.' : null
  refuseFaults({ from: from ? null : badTime, to: to ? order : badTime, ...others })
  if (!from || !to) throw new FieldsError({ form: badTime })
  return { from: from.toISOString(), to: to.toISOString() }
}

const typedRange = (form: FormData): string => `${getText(form, 'from')} ${getText(form, 'to')}`

/** Returns the cursor at which the last submission stopped, or null if redelivery must start over: on the first submission, or if the range has changed. */
export function continueAfter(form: FormData): string | null {
  const [cursor = '', ...range] = getText(form, 'after').split(' ')
  return range.join(' ') === typedRange(form) && /^\d{1,18}$/.test(cursor) ? cursor : null
}

/** Returns the field values with which the next submission continues after a cursor. */
export const typedToContinue = (form: FormData, next: string) => ({
  from: [getText(form, 'from')],
  to: [getText(form, 'to')],
  after: [`${next} ${typedRange(form)}`],
})

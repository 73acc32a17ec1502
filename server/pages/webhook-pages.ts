import { cache } from 'react'
import type { Choices } from '#components/portal/webhooks/webhook-fields.tsx'
import type { Sample } from '#components/portal/webhooks/webhook-samples.tsx'
import { accountTypeValues } from '#server/api/contract/account-types.ts'
import { creditsPerEvent, type EventType, events, eventTypes, isOfAccount } from '#server/api/contract/webhooks.ts'
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
export const eventPrice = `${creditsPerEvent} credits per event, charged on the first 2xx response. Retries and test events are free. So are events about your account: ${new Intl.ListFormat('en-GB').format(eventTypes.filter(isOfAccount))}.`

import type { Choices } from '#components/portal/webhooks/webhook-fields.tsx'
import { accountTypeValues } from '#server/api/contract/account-types.ts'
import { creditsPerEvent, events, eventTypes, isOfAccount } from '#server/api/contract/events.ts'

/** Events and account types to choose from for an endpoint. */
export const choices: Choices = {
  types: eventTypes.map((name) => ({ name, when: events[name].when, isFree: isOfAccount(name) })),
  accountTypes: accountTypeValues.filter((type) => type !== 'all'),
}

/** Price of an event as text. */
export const eventPrice = `${creditsPerEvent} credits per event, charged on the first 2xx response. Retries, test events and ${eventTypes.filter(isOfAccount).join(', ')} are free.`

import type { Choices } from '#components/portal/webhooks/webhook-fields.tsx'
import { accountTypeValues } from '#server/api/contract/account-types.ts'
import { creditsPerEvent, events, eventTypes, isOfAccount } from '#server/api/contract/events.ts'

/** What an endpoint can be told of. */
export const choices: Choices = {
  types: eventTypes.map((name) => ({ name, when: events[name].when, isFree: isOfAccount(name) })),
  accountTypes: accountTypeValues.filter((type) => type !== 'all'),
}

/** What an event costs, in words. */
export const eventPrice = `${creditsPerEvent} credits when your server first answers 2xx. Retries, tests and ${eventTypes.filter(isOfAccount).join(', ')} are free.`

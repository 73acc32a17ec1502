import type { EventType } from '#server/api/contract/webhooks.ts'

const all = {
  'rate.changed': true,
  'product.added': true,
  'product.withdrawn': true,
  'switch_offer.changed': true,
  'balance.low': true,
  'alert.matched': true,
} as const satisfies Record<EventType, true>

/** Event types of webhooks. Importing the contract's list would also bundle its schemas and triple the page's JavaScript. */
export const eventTypes = Object.keys(all) as EventType[]

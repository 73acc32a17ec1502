import type { EventType } from '#server/api/contract/webhooks.ts'

const all = {
  'rate.changed': true,
  'product.added': true,
  'product.withdrawn': true,
  'switch_offer.changed': true,
  'balance.low': true,
  'alert.matched': true,
} as const satisfies Record<EventType, true>

/** Event types of webhooks. The contract's own list comes with its schemas, which would triple the scripts of a page. */
export const eventTypes = Object.keys(all) as EventType[]

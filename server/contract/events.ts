/** What webhooks tell of. The data of an event have the shape of a row, or of the item, of the endpoint named here. */
export const events = {
  'rate.changed': { when: 'The rate of a product changed.', carries: 'a history row', shapeOf: 'history.list' },
  'product.added': { when: 'A product was listed.', carries: 'the product', shapeOf: 'rates.get' },
  'product.withdrawn': { when: 'A product was withdrawn.', carries: 'the product as it last stood', shapeOf: 'rates.get' },
  'switch_offer.changed': { when: 'A switch offer began, changed or ended.', carries: 'the offer', shapeOf: 'switch-offers' },
} as const satisfies Record<string, { when: string; carries: string; shapeOf: string }>

export type EventType = keyof typeof events

export const eventTypes = Object.keys(events) as [EventType, ...EventType[]]

/** Price of an event, taken once, when a receiver first answers with 2xx. Retries and test events are free. */
export const creditsPerEvent = 5

/** How long a receiver has to answer, and how old a signature may be. */
export const deliveryTimeoutSeconds = 10
export const signatureAgeSeconds = 300

/** Minutes from one failed attempt to the next. After the last of them the delivery is dead, and can be sent again from the portal. */
export const retryMinutes = [1, 5, 30, 120, 720] as const

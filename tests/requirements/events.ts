import type { Requirement } from './requirement.ts'

/** The events that webhooks carry, and how a delivery is written and signed. */
export const events = {
  'events/rate-changed': {
    source: 'SPEC Events',
    behaviour: 'rate.changed carries a row in the shape of the history endpoint.',
    deferred: 'webhooks',
  },
  'events/product-added': { source: 'SPEC Events', behaviour: 'product.added carries a product.', deferred: 'webhooks' },
  'events/product-withdrawn': { source: 'SPEC Events', behaviour: 'product.withdrawn carries a product.', deferred: 'webhooks' },
  'events/switch-offer-changed': { source: 'SPEC Events', behaviour: 'switch_offer.changed carries an offer.', deferred: 'webhooks' },
  'events/filter-by-provider': {
    source: 'SPEC Events',
    behaviour: 'A webhook endpoint can be filtered by provider.',
    deferred: 'webhooks',
  },
  'events/filter-by-account-type': {
    source: 'SPEC Events',
    behaviour: 'A webhook endpoint can be filtered by account type.',
    deferred: 'webhooks',
  },
  'events/filter-by-minimum-change': {
    source: 'SPEC Events',
    behaviour: 'A webhook endpoint can be filtered by minimum rate change.',
    deferred: 'webhooks',
  },
  'events/body': {
    source: 'SPEC Events',
    behaviour: 'The body of a delivery is { id, type, createdAt, attempt, data }.',
    deferred: 'webhooks',
  },
  'events/signature-header': {
    source: 'SPEC Events',
    behaviour: 'A delivery has the header X-SVC-Signature of the form t=<unix seconds>,v1=<hex>.',
    deferred: 'webhooks',
  },
  'events/event-header': { source: 'SPEC Events', behaviour: 'A delivery has the header X-SVC-Event.', deferred: 'webhooks' },
  'events/delivery-header': { source: 'SPEC Events', behaviour: 'A delivery has the header X-SVC-Delivery.', deferred: 'webhooks' },
  'events/signature-value': {
    source: 'SPEC Events',
    behaviour: 'v1 is the hexadecimal HMAC-SHA256 of <t>.<raw body> with the secret of the endpoint.',
    deferred: 'webhooks',
  },
  'events/signature-age': {
    source: 'SPEC Limits',
    behaviour: 'The documented verification refuses a timestamp more than 300 seconds from now.',
    deferred: 'webhooks',
  },
  'events/signature-constant-time': {
    source: 'SPEC Events',
    behaviour: 'The documented verification uses the raw body and compares in constant time.',
    deferred: 'webhooks',
  },
} as const satisfies Record<string, Requirement>

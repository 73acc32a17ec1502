import type { Requirement } from './requirement.ts'

/** Webhook events, and the format and signature of deliveries. */
export const events = {
  'events/rate-changed': {
    source: 'SPEC Events',
    behaviour: 'rate.changed contains a row in the format of the history endpoint.',
  },
  'events/product-added': { source: 'SPEC Events', behaviour: 'product.added contains a product.' },
  'events/product-withdrawn': { source: 'SPEC Events', behaviour: 'product.withdrawn contains a product.' },
  'events/switch-offer-changed': { source: 'SPEC Events', behaviour: 'switch_offer.changed contains an offer.' },
  'events/filter-by-provider': {
    source: 'SPEC Events',
    behaviour: 'A webhook endpoint can be filtered by provider.',
  },
  'events/filter-by-account-type': {
    source: 'SPEC Events',
    behaviour: 'A webhook endpoint can be filtered by account type.',
  },
  'events/filter-by-minimum-change': {
    source: 'SPEC Events',
    behaviour: 'A webhook endpoint can be filtered by minimum rate change.',
  },
  'events/body': {
    source: 'SPEC Events',
    behaviour: 'The body of a delivery is { id, type, createdAt, attempt, data }.',
  },
  'events/signature-header': {
    source: 'SPEC Events',
    behaviour: 'A delivery has the header X-SVC-Signature in the format t=<unix seconds>,v1=<hex>.',
  },
  'events/event-header': { source: 'SPEC Events', behaviour: 'A delivery has the header X-SVC-Event.' },
  'events/delivery-header': { source: 'SPEC Events', behaviour: 'A delivery has the header X-SVC-Delivery.' },
  'events/signature-value': {
    source: 'SPEC Events',
    behaviour: 'v1 is the hexadecimal HMAC-SHA256 of <t>.<raw body> with the secret of the endpoint.',
  },
  'events/signature-age': {
    source: 'SPEC Limits',
    behaviour: 'The documented verification rejects a timestamp that differs from the current time by more than 300 seconds.',
  },
  'events/signature-constant-time': {
    source: 'SPEC Events',
    behaviour: 'The documented verification uses the raw body and compares in constant time.',
  },
} as const satisfies Record<string, Requirement>

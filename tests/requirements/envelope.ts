import type { Requirement } from './requirement.ts'

/** Response envelope, and headers of every successful response. */
export const envelope = {
  'envelope/data-and-meta': {
    source: 'SPEC What the service does',
    behaviour: 'A successful response is a JSON object with the two members data and meta.',
  },
  'envelope/data-is-object-for-single-items': {
    source: 'SPEC Resources: Response envelope',
    behaviour: 'data is an object on an endpoint that returns one item.',
  },
  'envelope/data-is-array-for-lists': {
    source: 'SPEC Resources: Response envelope',
    behaviour: 'data is an array on an endpoint that returns a list.',
  },
  'envelope/request-id': { source: 'SPEC Resources: Response envelope', behaviour: 'meta.requestId is a string of the form req_<id>.' },
  'envelope/request-id-equals-header': {
    source: 'SPEC Resources: Response envelope',
    behaviour: 'meta.requestId equals the header X-SVC-Request-Id of the same response.',
  },
  'envelope/generated-at': { source: 'SPEC Resources: Response envelope', behaviour: 'meta.generatedAt is an ISO 8601 UTC timestamp.' },
  'envelope/credits-charged': {
    source: 'SPEC Resources: Response envelope',
    behaviour: 'meta.creditsCharged is an integer: the credits charged for this request.',
  },
  'envelope/credits-balance': {
    source: 'SPEC Resources: Response envelope',
    behaviour: 'meta.creditsBalance is an integer: the balance after this request.',
  },
  'envelope/attribution': {
    source: 'SPEC What the service does',
    behaviour: 'meta.attribution is a non-empty string on every successful response.',
  },
  'envelope/limit-on-lists': {
    source: 'SPEC Resources: Response envelope',
    behaviour: 'On a list, meta.limit is the page size after it was clamped or cut to the affordable rows.',
  },
  'envelope/next-cursor-on-lists': {
    source: 'SPEC Resources: Response envelope',
    behaviour: 'On a list with more pages, meta.nextCursor is an opaque string.',
  },
  'envelope/next-cursor-null-at-end': {
    source: 'SPEC Resources: Response envelope',
    behaviour: 'On the last page of a list, meta.nextCursor is null.',
  },
  'envelope/sample-on-test-keys': {
    source: 'SPEC Resources: Response envelope',
    behaviour: 'meta.sample is true on every successful response to a test key.',
  },
} as const satisfies Record<string, Requirement>

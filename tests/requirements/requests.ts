import type { Requirement } from './requirement.ts'

/** Request parsing rules that go beyond the specification. */
export const requests = {
  'request/wrong-method-404': { source: 'DECISIONS 10', behaviour: 'A wrong method on a known path gets 404 not_found.' },
  'request/wrong-method-allow': {
    source: 'DECISIONS 10',
    behaviour: 'The response to a wrong method has the header Allow with the methods of the path.',
  },
  'request/head': {
    source: 'SPEC Versioning',
    behaviour: 'HEAD on a free endpoint, or with a test key, returns the status and headers of GET without a body.',
  },
  'request/head-free': {
    source: 'SPEC Versioning',
    behaviour:
      'HEAD on an endpoint that costs credits is never charged, so it returns the headers without ETag, length and cursor. All checks of GET apply, except that of the balance.',
  },
  'request/unknown-parameter-400': {
    source: 'DECISIONS 11',
    behaviour: 'An unknown query parameter gets 400 invalid_request that names it and suggests the closest valid name.',
  },
  'request/unknown-field-400': {
    source: 'DECISIONS 11',
    behaviour: 'An unknown name in fields gets 400 invalid_request that names it and suggests the closest valid name.',
  },
  'request/field-above-plan-400': {
    source: 'DECISIONS 11',
    behaviour: "A field that a live key's plan excludes gets 400 invalid_request that names the parameter, the field and the plan; it is never charged.",
  },
  'request/bad-enum-400': {
    source: 'DECISIONS 11',
    behaviour: 'An invalid enum value gets 400 invalid_request that names the parameter and suggests the closest valid value.',
  },
  'request/api-key-parameter-ignored': {
    source: 'DECISIONS 11',
    behaviour: 'With a valid Authorization header, api_key in the query is ignored and the call succeeds.',
  },
  'request/api-key-parameter-redacted': { source: 'DECISIONS 11', behaviour: 'api_key in the query never reaches the logs.' },
  'request/limit-below-1-400': { source: 'DECISIONS 12', behaviour: 'A limit below 1 gets 400 invalid_request.' },
  'request/limit-not-integer-400': { source: 'DECISIONS 12', behaviour: 'A limit that is not an integer gets 400 invalid_request.' },
  'request/cursor-signed': { source: 'DECISIONS 12', behaviour: 'A cursor that was not signed by the service gets 400 invalid_request.' },
  'request/cursor-bound-to-path': { source: 'DECISIONS 12', behaviour: 'A cursor used on another path gets 400 invalid_request.' },
  'request/cursor-bound-to-mode': {
    source: 'DECISIONS 12',
    behaviour: 'A cursor of a test key used with a live key gets 400 invalid_request, and vice versa.',
  },
  'request/cursor-not-bound-to-limit': { source: 'DECISIONS 12', behaviour: 'A cursor still works with a different limit.' },
  'request/cursor-not-bound-to-fields': { source: 'DECISIONS 12', behaviour: 'A cursor still works with different fields.' },
  'request/etag-weak': { source: 'DECISIONS 13', behaviour: 'ETags are weak.' },
  'request/etag-ignores-request-facts': {
    source: 'DECISIONS 13',
    behaviour: 'The ETag does not depend on the request id, the build time or the balance.',
  },
  'request/etag-differs-by-mode': { source: 'DECISIONS 13', behaviour: 'The ETag differs between test and live keys.' },
  'request/etag-differs-by-plan': { source: 'DECISIONS 13', behaviour: 'The ETag differs between plans with different fields.' },
  'request/etag-differs-by-fields': { source: 'DECISIONS 13', behaviour: 'The ETag depends on fields.' },
  'request/etag-differs-by-limit': { source: 'DECISIONS 13', behaviour: 'The ETag depends on the limit applied.' },
  'request/cache-control': { source: 'DECISIONS 13', behaviour: 'Responses have the header Cache-Control: private, no-cache.' },
  'request/vary': { source: 'DECISIONS 13', behaviour: 'Responses have the header Vary: Authorization, Accept-Encoding.' },
  'request/repeated-parameter-400': { source: 'DECISIONS 14', behaviour: 'A repeated query parameter gets 400 invalid_request.' },
  'request/empty-parameter-400': { source: 'DECISIONS 14', behaviour: 'An empty query parameter gets 400 invalid_request.' },
  'request/generated-at-of-shared-result': { source: 'DECISIONS 17', behaviour: 'generatedAt is the time at which the shared result was built.' },
  'request/balance-of-this-request': {
    source: 'DECISIONS 17',
    behaviour: 'A response from a shared result contains the charge and balance of the current request.',
  },
} as const satisfies Record<string, Requirement>

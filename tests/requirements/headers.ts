import type { Requirement } from './requirement.ts'

/** Headers of successful responses. */
export const headers = {
  'headers/request-id': { source: 'SPEC Endpoints', behaviour: 'Every 2xx has the header X-SVC-Request-Id.' },
  'headers/credits-charged': {
    source: 'SPEC Endpoints',
    behaviour: 'Every 2xx has the header X-SVC-Credits-Charged, equal to meta.creditsCharged.',
  },
  'headers/credits-balance': {
    source: 'SPEC Endpoints',
    behaviour: 'Every 2xx has the header X-SVC-Credits-Balance, equal to meta.creditsBalance.',
  },
  'headers/rate-limit-limit': { source: 'SPEC Endpoints', behaviour: 'Every 2xx has the header X-RateLimit-Limit.' },
  'headers/rate-limit-remaining': { source: 'SPEC Endpoints', behaviour: 'Every 2xx has the header X-RateLimit-Remaining.' },
  'headers/rate-limit-reset': { source: 'SPEC Endpoints', behaviour: 'Every 2xx has the header X-RateLimit-Reset.' },
  'headers/etag': { source: 'SPEC Endpoints', behaviour: 'Every 2xx has the header ETag.' },
  'headers/mode-test': { source: 'SPEC Endpoints', behaviour: 'A response to a test key has the header X-SVC-Mode: test.' },
  'headers/sample-data': { source: 'SPEC Endpoints', behaviour: 'A response to a test key has the header X-SVC-Sample-Data: true.' },
  'headers/cache-says-shared': {
    source: 'SPEC Endpoints',
    behaviour: 'X-SVC-Cache shows whether the result was shared with an earlier request.',
  },
} as const satisfies Record<string, Requirement>

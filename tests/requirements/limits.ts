import type { Requirement } from './requirement.ts'

/** Requests per minute and per day. */
export const limits = {
  'limits/test-key-per-minute': { source: 'SPEC Limits', behaviour: 'A test key may make 10 requests per minute.' },
  'limits/hobby-per-minute': { source: 'SPEC Limits', behaviour: 'A live key on the Hobby plan may make 60 requests per minute.' },
  'limits/hobby-per-day': { source: 'SPEC Limits', behaviour: 'A Hobby account may make 1,000 live requests per day.' },
  'limits/business-per-minute': { source: 'SPEC Limits', behaviour: 'A live key on the Business plan may make 300 requests per minute.' },
  'limits/business-per-day': { source: 'SPEC Limits', behaviour: 'A Business account may make 20,000 live requests per day.' },
  'limits/enterprise-per-minute': {
    source: 'SPEC Limits',
    behaviour: 'A live key on the Enterprise plan may make 600 requests per minute.',
  },
  'limits/enterprise-per-day': { source: 'SPEC Limits', behaviour: 'An Enterprise account may make 100,000 live requests per day.' },
  'limits/daily-cap-shared-by-account': {
    source: 'SPEC Limits',
    behaviour: 'The daily limit is per account and shared by its live keys.',
  },
  'limits/own-limits-per-account': {
    source: 'SPEC Limits',
    behaviour: 'An account can have custom limits, which replace those of the plan.',
  },
  'limits/refused-calls-bounded': {
    source: 'SPEC Limits',
    behaviour: 'All rejected calls with a key are counted, but only the first 20 per minute are written to the request log.',
  },
  'limits/headers-on-every-response': {
    source: 'SPEC Limits',
    behaviour: 'Every response, errors included, has X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset.',
  },
} as const satisfies Record<string, Requirement>

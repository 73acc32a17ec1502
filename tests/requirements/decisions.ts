import type { Requirement } from './requirement.ts'

/** Requirements that arise from decisions and fit no other area. */
export const decisions = {
  'decision/assistant-404': { source: 'DECISIONS 1', behaviour: 'POST /assistant returns 404 not_found until it is launched.' },
  'decision/availability-override': {
    source: 'DECISIONS 1',
    behaviour: 'An admin can change the availability of an endpoint at run time, and everything derived from the catalogue reflects the change.',
  },
  'decision/availability-override-audited': { source: 'DECISIONS 1', behaviour: 'A change of availability is recorded in the audit log.' },
  'decision/availability-override-in-changelog': {
    source: 'DECISIONS 1',
    behaviour: 'A change of availability creates a changelog entry.',
  },
  'decision/default-page-size-10': { source: 'DECISIONS 3', behaviour: 'Without limit, a page has 10 rows.' },
  'decision/minute-limit-per-key': {
    source: 'DECISIONS 4',
    behaviour: 'The minute limit is per key: two live keys of one account have separate limits.',
  },
  'decision/test-keys-outside-daily-cap': { source: 'DECISIONS 4', behaviour: 'Calls with test keys do not count towards the daily limit.' },
  'decision/minute-is-utc': { source: 'DECISIONS 4', behaviour: 'A minute window is a UTC minute.' },
  'decision/day-is-utc': { source: 'DECISIONS 4', behaviour: 'A day window is a UTC day.' },
  'decision/429-never-extends-wait': {
    source: 'DECISIONS 4',
    behaviour: 'A 429 does not count towards the limits, so retrying early does not extend the wait.',
  },
  'decision/reset-in-seconds': { source: 'DECISIONS 5', behaviour: 'X-RateLimit-Reset is the number of seconds until the window ends.' },
  'decision/reset-equals-retry-after': { source: 'DECISIONS 5', behaviour: 'On a 429, X-RateLimit-Reset equals Retry-After.' },
  'decision/rate-headers-describe-minute': {
    source: 'DECISIONS 5',
    behaviour: 'X-RateLimit-Limit, -Remaining and -Reset describe the minute window.',
  },
  'decision/rate-headers-describe-day-on-daily-429': {
    source: 'DECISIONS 5',
    behaviour: 'On a 429 for the daily limit, X-RateLimit-Limit, -Remaining and -Reset describe the day window.',
  },
  'decision/ratelimit-draft-headers': {
    source: 'DECISIONS 5',
    behaviour: 'RateLimit and RateLimit-Policy describe the minute and the day window.',
  },
  'decision/no-key-limited-by-address': { source: 'DECISIONS 5', behaviour: 'Calls without a valid key are limited per address.' },
  'decision/asset-envelope': {
    source: 'DECISIONS 18',
    behaviour: 'Assets are returned in the JSON envelope, with sizeBytes and contentBase64.',
  },
  'decision/review-pending': {
    source: 'DECISIONS 19',
    behaviour: 'A live key of an unapproved account returns 403 account_blocked with reason review_pending.',
  },
  'decision/test-key-before-approval': { source: 'DECISIONS 19', behaviour: 'A test key works before its account is approved.' },
  'decision/key-checksum': {
    source: 'DECISIONS 24',
    behaviour: 'A key ends in a checksum: a key with a mistyped character returns 401 invalid_api_key.',
  },
  'decision/reference-true-for-test-keys': {
    source: 'DECISIONS 28',
    behaviour: 'Account types, currencies and FSCS brands are the same for test and live keys.',
  },
  'decision/statistics-true-for-test-keys': {
    source: 'DECISIONS 28',
    behaviour: 'Bank Rate, ECB rates, inflation and exchange rates are the same for test and live keys.',
  },
  'decision/unsure-statistics-null': {
    source: 'DECISIONS 28',
    behaviour: 'CPIH and RPI before December 2025 are returned as null.',
  },
  'decision/callable-38-for-test-key': {
    source: 'DECISIONS 32',
    behaviour: '/me lists 38 of the specified endpoints as callable with a test key.',
  },
  'decision/callable-24-for-enterprise': {
    source: 'DECISIONS 32',
    behaviour: '/me lists 24 of the specified endpoints as callable with a live key on the Enterprise plan.',
  },
  'decision/callable-22-for-other-plans': {
    source: 'DECISIONS 32',
    behaviour: '/me lists 22 of the specified endpoints as callable with a live key on any other plan.',
  },
} as const satisfies Record<string, Requirement>

import type { Requirement } from './requirement.ts'

/** The free account endpoints, and account states. */
export const account = {
  'account/ping-ok': { source: 'SPEC Resources: Response envelope', behaviour: 'GET /ping returns data.ok true.' },
  'account/ping-mode': {
    source: 'SPEC Resources: Response envelope',
    behaviour: 'GET /ping returns test or live in data.mode, depending on the key.',
  },
  'account/ping-request-id': {
    source: 'SPEC Resources: Response envelope',
    behaviour: 'GET /ping returns data.requestId, equal to meta.requestId.',
  },
  'account/me-plan': { source: 'SPEC Resources: Account resource', behaviour: 'GET /me returns the plan of the account.' },
  'account/me-balance': { source: 'SPEC Resources: Account resource', behaviour: 'GET /me returns the current credit balance.' },
  'account/me-rate-limits': {
    source: 'SPEC Resources: Account resource',
    behaviour: 'GET /me returns the rate limits of this key.',
  },
  'account/me-usage-today': { source: 'SPEC Resources: Account resource', behaviour: "GET /me returns today's usage." },
  'account/me-usage-as-of': {
    source: 'SPEC Resources: Account resource',
    behaviour: 'GET /me returns usage.asOf, the time up to which its usage figures are complete.',
  },
  'account/me-usage-within-seconds': {
    source: 'SPEC Limits',
    behaviour: 'A served call appears in the usage figures of GET /me within a few seconds.',
  },
  'account/me-lists-every-endpoint': {
    source: 'SPEC Resources: Account resource',
    behaviour: 'GET /me lists every endpoint of the service, including the 39 in the specification.',
  },
  'account/me-says-what-is-callable': {
    source: 'SPEC Resources: Account resource',
    behaviour: 'GET /me states whether this key can call each endpoint.',
  },
  'account/usage-of-own-key': {
    source: 'SPEC Resources: Account resource',
    behaviour: 'GET /usage lists the calls and credits of the calling key by UTC day, endpoint and status, free of charge.',
  },
  'account/usage-of-every-key': {
    source: 'SPEC Resources: Account resource',
    behaviour: 'With the scope account:manage, GET /usage lists the usage of all keys of the account, and of no other account.',
  },
  'account/usage-equals-portal': {
    source: 'SPEC Resources: Account resource',
    behaviour: "GET /usage returns the same figures as the portal's usage page and its CSV file.",
  },
  'account/usage-paginated': {
    source: 'SPEC Endpoints: Common list rules',
    behaviour: 'GET /usage accepts limit, cursor and fields, and returns 304 for its ETag.',
  },
  'account/live-access-after-review': {
    source: 'SPEC States: Account',
    behaviour: 'A live key is rejected until its account is approved, and works afterwards.',
  },
  'account/licence-change-within-grace-works': {
    source: 'SPEC States: Account',
    behaviour: 'After a licence change, a key keeps working within the grace period.',
  },
  'account/review-notification': {
    source: 'SPEC States: Account',
    behaviour: 'The account is notified when live access is ready.',
  },
} as const satisfies Record<string, Requirement>

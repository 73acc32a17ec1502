import type { Requirement } from './requirement.ts'

/** The two free account endpoints and the state of the account. */
export const account = {
  'account/ping-ok': { source: 'SPEC Resources: Response envelope', behaviour: 'GET /ping answers data.ok true.' },
  'account/ping-mode': {
    source: 'SPEC Resources: Response envelope',
    behaviour: 'GET /ping answers data.mode test with a test key and live with a live key.',
  },
  'account/ping-request-id': {
    source: 'SPEC Resources: Response envelope',
    behaviour: 'GET /ping answers data.requestId, equal to meta.requestId.',
  },
  'account/me-plan': { source: 'SPEC Resources: Account resource', behaviour: 'GET /me names the plan of the account.' },
  'account/me-balance': { source: 'SPEC Resources: Account resource', behaviour: 'GET /me gives the current credit balance.' },
  'account/me-rate-limits': {
    source: 'SPEC Resources: Account resource',
    behaviour: 'GET /me gives the rate limits that apply to this key.',
  },
  'account/me-usage-today': { source: 'SPEC Resources: Account resource', behaviour: 'GET /me gives what was used today.' },
  'account/me-usage-as-of': {
    source: 'SPEC Resources: Account resource',
    behaviour: 'GET /me gives usage.asOf, the timestamp as of which its usage figures are true.',
  },
  'account/me-usage-within-seconds': {
    source: 'SPEC Limits',
    behaviour: 'A served call is in the usage figures of GET /me within a few seconds.',
  },
  'account/me-lists-every-endpoint': {
    source: 'SPEC Resources: Account resource',
    behaviour: 'GET /me lists every endpoint of the service, all 39.',
  },
  'account/me-says-what-is-callable': {
    source: 'SPEC Resources: Account resource',
    behaviour: 'GET /me says for each endpoint whether this key can call it.',
  },
  'account/live-access-after-review': {
    source: 'SPEC States: Account',
    behaviour: 'A live key of an account that has not been approved is refused; once approved, the same key works.',
  },
  'account/licence-change-within-grace-works': {
    source: 'SPEC States: Account',
    behaviour: 'After a licence change and within the grace period a key goes on working.',
  },
  'account/review-notification': {
    source: 'SPEC States: Account',
    behaviour: 'A notification is sent to the account when live access is ready.',
  },
} as const satisfies Record<string, Requirement>

import type { Requirement } from './requirement.ts'

/** Format of errors and every row of the error table. */
export const errors = {
  'errors/json-with-code': { source: 'SPEC Errors', behaviour: 'Every error is JSON, with a stable code in error.' },
  'errors/message': { source: 'SPEC Errors', behaviour: 'Every error has a message that says what to do next.' },
  'errors/request-id': { source: 'SPEC Errors', behaviour: 'Every error has a requestId, equal to the header X-SVC-Request-Id.' },
  'errors/docs-link': { source: 'SPEC Errors', behaviour: 'Every error has docs, the absolute URL of the page about its code.' },
  'errors/insufficient-scope-required': { source: 'SPEC Errors', behaviour: 'insufficient_scope returns required, the name of the missing scope.' },
  'errors/insufficient-credits-required': {
    source: 'SPEC Errors',
    behaviour: 'insufficient_credits returns required, the credits needed, as an integer.',
  },
  'errors/insufficient-credits-balance': { source: 'SPEC Errors', behaviour: 'insufficient_credits returns balance as an integer.' },
  'errors/insufficient-credits-top-up': { source: 'SPEC Errors', behaviour: 'insufficient_credits returns topUp, a URL.' },
  'errors/rate-limited-retry-after': { source: 'SPEC Errors', behaviour: 'rate_limited returns retryAfter in whole seconds.' },
  'errors/rate-limited-header': {
    source: 'SPEC Errors',
    behaviour: 'rate_limited has the header Retry-After, equal to retryAfter.',
  },
  'errors/plan-upgrade-names-plan': { source: 'SPEC Errors', behaviour: 'plan_upgrade_required returns requiredPlan, the minimum plan.' },
  'errors/invalid-request': { source: 'SPEC Errors', behaviour: 'An invalid query or path value returns 400 invalid_request.' },
  'errors/missing-api-key': { source: 'SPEC Errors', behaviour: 'A request without an Authorization header gets 401 missing_api_key.' },
  'errors/invalid-api-key': { source: 'SPEC Errors', behaviour: 'A key that does not exist returns 401 invalid_api_key.' },
  'errors/insufficient-credits-per-row': {
    source: 'SPEC Errors',
    behaviour: 'A per-row call with a balance below the price of one row returns 402 insufficient_credits.',
  },
  'errors/insufficient-credits-fixed-price': {
    source: 'SPEC Errors',
    behaviour: 'A fixed-price call with a balance below its cost returns 402 insufficient_credits.',
  },
  'errors/key-revoked': { source: 'SPEC Errors', behaviour: 'A revoked key returns 403 key_revoked.' },
  'errors/account-blocked': { source: 'SPEC Errors', behaviour: 'A key of a blocked account returns 403 account_blocked.' },
  'errors/account-blocked-reason': {
    source: 'SPEC Errors',
    behaviour: 'account_blocked includes the reason unless it is private.',
  },
  'errors/insufficient-scope': { source: 'SPEC Errors', behaviour: 'A key that lacks the needed scope returns 403 insufficient_scope.' },
  'errors/ip-not-allowed': { source: 'SPEC Errors', behaviour: 'A caller outside the allow-list of the key returns 403 ip_not_allowed.' },
  'errors/licence-reacceptance-required': {
    source: 'SPEC Errors',
    behaviour: 'After the grace period of a changed Data Licence, calls return 403 licence_reacceptance_required.',
  },
  'errors/email-not-verified-status': {
    source: 'SPEC Errors',
    behaviour: 'The error table lists email_not_verified as a portal-only error with status 403.',
  },
  'errors/email-not-verified': {
    source: 'SPEC Errors',
    behaviour: 'A portal action that needs a verified email address returns 403 email_not_verified.',
  },
  'errors/webhooks-not-enabled-status': {
    source: 'SPEC Errors',
    behaviour: 'The error table lists webhooks_not_enabled as a portal-only error with status 403.',
  },
  'errors/webhooks-not-enabled': {
    source: 'SPEC Errors',
    behaviour: 'A webhook action of an account without webhooks returns 403 webhooks_not_enabled.',
  },
  'errors/sample-data-unavailable': {
    source: 'SPEC Errors',
    behaviour: 'A test key on an endpoint without sample data returns 403 sample_data_unavailable.',
  },
  'errors/endpoint-restricted': {
    source: 'SPEC Errors',
    behaviour: 'A live key on a test-only endpoint returns 403 endpoint_restricted and is not charged.',
  },
  'errors/plan-upgrade-required': {
    source: 'SPEC Errors',
    behaviour: 'A live key on an endpoint that the plan excludes returns 403 plan_upgrade_required and is not charged.',
  },
  'errors/not-found-route': { source: 'SPEC Errors', behaviour: 'An unknown route returns 404 not_found.' },
  'errors/not-found-slug': { source: 'SPEC Errors', behaviour: 'An unknown slug returns 404 not_found.' },
  'errors/not-found-unlaunched': { source: 'SPEC Errors', behaviour: 'An endpoint that is not yet launched returns 404 not_found.' },
  'errors/rate-limited-minute': { source: 'SPEC Errors', behaviour: 'A request over the per-minute limit returns 429 rate_limited.' },
  'errors/rate-limited-day': { source: 'SPEC Errors', behaviour: 'A request over the daily limit returns 429 rate_limited.' },
  'errors/internal-error': {
    source: 'SPEC Errors',
    behaviour: 'A server error returns 500 internal_error with a requestId for support.',
  },
} as const satisfies Record<string, Requirement>

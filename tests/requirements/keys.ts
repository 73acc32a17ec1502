import type { Requirement } from './requirement.ts'

/** API keys: their form, modes, scopes and life. */
export const keys = {
  'keys/test-prefix': { source: 'SPEC Authentication', behaviour: 'A test key has the form svc_test_<random>.' },
  'keys/live-prefix': { source: 'SPEC Authentication', behaviour: 'A live key has the form svc_live_<random>.' },
  'keys/test-sample-data': {
    source: 'SPEC What the service does',
    behaviour: 'A test key gets a small sample set of fictional providers.',
  },
  'keys/test-shape-equals-live': {
    source: 'SPEC What the service does',
    behaviour: 'A response to a test key has exactly the shape of the response to a live key.',
  },
  'keys/live-real-data': { source: 'SPEC Authentication', behaviour: 'A live key gets the data of the live market, none of the sample.' },
  'keys/scope-values': {
    source: 'SPEC Authentication',
    behaviour: 'The scopes are rates:read, history:read, providers:read, offers:read, cards:read, market:read and assistant.',
  },
  'keys/only-chosen-scopes': { source: 'SPEC Authentication', behaviour: 'A key carries only the scopes chosen when it was created.' },
  'keys/active-at-creation': { source: 'SPEC States: API key', behaviour: 'A new key is active in its mode at once.' },
  'keys/created-in-portal': {
    source: 'SPEC States: API key',
    behaviour: 'An account with portal access creates a key in the portal.',
  },
  'keys/live-needs-verified-email': {
    source: 'SPEC States: API key',
    behaviour: 'A live key can be created in the portal only with a verified e-mail address.',
  },
  'keys/test-needs-verified-email': {
    source: 'SPEC States: API key',
    behaviour: 'A test key, too, needs a verified e-mail address: an unconfirmed account has no key that can call the API.',
  },
  'keys/shown-once': {
    source: 'SPEC Authentication',
    behaviour: 'The full key is displayed once, at creation, and never again.',
  },
  'keys/revoked-in-portal': {
    source: 'SPEC States: API key',
    behaviour: 'Revoking a key in the portal makes its calls answer 403 key_revoked.',
  },
  'keys/rotation-in-one-step': {
    source: 'SPEC Authentication',
    behaviour: 'Rotation revokes the old key and issues a new active one in one step.',
  },
  'keys/rotation-shows-new-key-once': {
    source: 'SPEC States: API key',
    behaviour: 'Rotation displays the new full key once.',
  },
} as const satisfies Record<string, Requirement>

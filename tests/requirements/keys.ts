import type { Requirement } from './requirement.ts'

/** API keys: format, modes, scopes and life cycle. */
export const keys = {
  'keys/test-prefix': { source: 'SPEC Authentication', behaviour: 'A test key has the form svc_test_<random>.' },
  'keys/live-prefix': { source: 'SPEC Authentication', behaviour: 'A live key has the form svc_live_<random>.' },
  'keys/test-sample-data': {
    source: 'SPEC What the service does',
    behaviour: 'Calls with a test key return a small sample set of fictional providers.',
  },
  'keys/sample-moves-daily': {
    source: 'SPEC What the service does',
    behaviour:
      'Once a day, at midnight UTC, the sample market changes in a documented weekly cycle: one product is added, one is withdrawn and two change. Its state depends only on the day.',
  },
  'keys/sample-moves-everywhere': {
    source: 'SPEC What the service does',
    behaviour: 'For test keys, lists, updatedSince, withdrawn rows and history agree on the changes of the day; live keys see none of these changes.',
  },
  'keys/test-shape-equals-live': {
    source: 'SPEC What the service does',
    behaviour: 'A response to a test key has exactly the same structure as the response to a live key.',
  },
  'keys/live-real-data': { source: 'SPEC Authentication', behaviour: 'Calls with a live key return live market data and no sample data.' },
  'keys/scope-values': {
    source: 'SPEC Authentication',
    behaviour: 'The scopes are rates:read, history:read, providers:read, offers:read, cards:read, market:read and assistant.',
  },
  'keys/only-chosen-scopes': { source: 'SPEC Authentication', behaviour: 'A key has only the scopes chosen when it was created.' },
  'keys/active-at-creation': { source: 'SPEC States: API key', behaviour: 'A new key is active in its mode immediately.' },
  'keys/created-in-portal': {
    source: 'SPEC States: API key',
    behaviour: 'An account with portal access creates a key in the portal.',
  },
  'keys/live-needs-verified-email': {
    source: 'SPEC States: API key',
    behaviour: 'A live key can be created in the portal only with a verified email address.',
  },
  'keys/test-needs-verified-email': {
    source: 'SPEC States: API key',
    behaviour: 'Test keys also need a verified email address: an account without one has no key that can call the API.',
  },
  'keys/shown-once': {
    source: 'SPEC Authentication',
    behaviour: 'The full key is displayed once, at creation, and never again.',
  },
  'keys/revoked-in-portal': {
    source: 'SPEC States: API key',
    behaviour: 'After a key is revoked in the portal, its calls return 403 key_revoked.',
  },
  'keys/edited-in-portal': {
    source: 'SPEC States: API key',
    behaviour: 'The owner can change the name, scopes, IP addresses, monthly cap and expiry of a key. The change applies to the next call, in every process.',
  },
  'keys/edit-audited': {
    source: 'SPEC States: API key',
    behaviour: 'A change to a key is recorded with the values before and after.',
  },
  'keys/manage-scope-needs-recent-sign-in': {
    source: 'SPEC Authentication',
    behaviour: 'Giving a key the scope account:manage, in either mode, needs a recent sign-in.',
  },
  'keys/manage-scope-never-by-default': {
    source: 'SPEC Authentication',
    behaviour: 'A key has the scope account:manage only if it was chosen explicitly.',
  },
  'keys/wider-access-needs-recent-sign-in': {
    source: 'SPEC Authentication',
    behaviour: 'Giving a live key more access requires a recent sign-in. Giving it less does not.',
  },
  'keys/edited-cap-stays-shared': {
    source: 'DECISIONS 25',
    behaviour: 'If the cap of a rotated key is changed while the old key works, both keys share the new cap.',
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

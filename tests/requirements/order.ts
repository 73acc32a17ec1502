import type { Requirement } from './requirement.ts'

/** Order of checks: if a request has two errors, the first failing check determines which one is returned. */
export const order = {
  'order/unknown-key-first': {
    source: 'DECISIONS 9',
    behaviour: 'A key that does not exist gets 401 invalid_api_key even on an unknown route.',
  },
  'order/revoked-before-blocked': { source: 'DECISIONS 9', behaviour: 'A revoked key of a blocked account gets key_revoked.' },
  'order/blocked-before-address': {
    source: 'DECISIONS 9',
    behaviour: 'A key of a blocked account gets account_blocked even from an address outside its allow-list.',
  },
  'order/address-before-licence': {
    source: 'DECISIONS 9',
    behaviour: 'A caller outside the allow-list of a key whose account must re-accept the licence gets ip_not_allowed.',
  },
  'order/licence-before-route': {
    source: 'DECISIONS 9',
    behaviour: 'A key whose account must re-accept the licence gets licence_reacceptance_required on an unknown route.',
  },
  'order/availability-before-scope': {
    source: 'DECISIONS 9',
    behaviour: 'A live key without the scope of a test-only endpoint gets endpoint_restricted.',
  },
  'order/plan-before-scope': {
    source: 'DECISIONS 9',
    behaviour: 'A live key without the scope of an endpoint above its plan gets plan_upgrade_required.',
  },
  'order/scope-before-limits': {
    source: 'DECISIONS 9',
    behaviour: 'A key over its limit without the scope of the endpoint gets insufficient_scope.',
  },
  'order/limits-before-validation': { source: 'DECISIONS 9', behaviour: 'A key over its limit gets rate_limited even if a query value is invalid.' },
  'order/validation-before-item': { source: 'DECISIONS 9', behaviour: 'An invalid query value on an unknown item gets invalid_request.' },
  'order/item-before-charge': { source: 'DECISIONS 9', behaviour: 'An unknown item at balance 0 gets not_found.' },
} as const satisfies Record<string, Requirement>

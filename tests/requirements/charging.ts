import type { Requirement } from './requirement.ts'

/** Charges, free responses, and lists truncated to what the balance covers. */
export const charging = {
  'charge/live-keys-spend-credits': {
    source: 'SPEC What the service does',
    behaviour: 'A successful call with a live key deducts its price from the balance of the account.',
  },
  'charge/per-row-not-per-page': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour: '/rates charges for the rows returned, not for the page size requested.',
  },
  'charge/page-is-one-request': {
    source: 'SPEC Limits',
    behaviour: 'A page of results counts as one request, regardless of its number of rows.',
  },
  'charge/balance-is-current': {
    source: 'SPEC Limits',
    behaviour: 'A request is charged while it is served: the next request starts from the returned balance.',
  },
  'charge/list-cut-to-balance': {
    source: 'SPEC Endpoints: Common list rules',
    behaviour: 'A list page that costs more than the balance is cut to the affordable rows.',
  },
  'charge/list-cut-shows-limit': {
    source: 'SPEC Endpoints: Common list rules',
    behaviour: 'On a cut page, meta.limit is the reduced number of rows.',
  },
  'charge/list-cut-header': {
    source: 'SPEC Endpoints: Common list rules',
    behaviour: 'The header X-SVC-Limit-Reduced is set on cut pages only.',
  },
  'charge/list-402-only-below-one-row': {
    source: 'SPEC Endpoints: Common list rules',
    behaviour: 'A list returns 402 only if not even one row is affordable.',
  },
  'charge/never-for-errors': { source: 'SPEC Errors', behaviour: 'An error is never charged.' },
  'charge/never-for-validation-failures': { source: 'SPEC Errors', behaviour: 'A validation failure is never charged.' },
  'charge/never-for-304': { source: 'SPEC Errors', behaviour: 'A 304 is never charged.' },
  'charge/never-for-test-keys': { source: 'SPEC Errors', behaviour: 'Calls with a test key are never charged.' },
  'charge/never-for-429': { source: 'SPEC Errors', behaviour: 'A 429 is never charged.' },
  'charge/never-for-5xx': { source: 'SPEC Errors', behaviour: 'A 5xx is never charged.' },
} as const satisfies Record<string, Requirement>

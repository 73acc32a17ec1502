import type { Requirement } from './requirement.ts'

export const authentication = {
  'authentication/bearer': { source: 'SPEC Authentication', behaviour: 'A request with Authorization: Bearer <API_KEY> is served.' },
  'authentication/not-bearer-401': {
    source: 'SPEC Errors',
    behaviour: 'A request whose Authorization header is not a Bearer token gets 401 missing_api_key.',
  },
  'authentication/query-key-401': {
    source: 'SPEC Authentication',
    behaviour: 'A key sent only in the query as api_key is ignored: 401 missing_api_key.',
  },
  'authentication/x-api-key-header-401': {
    source: 'SPEC Authentication',
    behaviour: 'A key sent only in an X-API-Key header is ignored: 401 missing_api_key.',
  },
  'authentication/ping-and-me-accept-any-key': {
    source: 'SPEC Authentication',
    behaviour: '/ping and /me accept a key with any scopes, including none.',
  },
  'authentication/history-plan-gate': {
    source: 'SPEC Endpoints: GET /history',
    behaviour: 'A live key of a Hobby or Business account on /history or /history/components gets 403 plan_upgrade_required.',
  },
  'authentication/ip-list-admits-listed': {
    source: 'SPEC Authentication',
    behaviour: 'A live key with an IP allow-list works from the listed addresses.',
  },
  'authentication/ip-list-is-optional': {
    source: 'SPEC States: API key',
    behaviour: 'A live key without an IP allow-list works from any address.',
  },
  'authentication/client-address-from-trusted-proxies': {
    source: 'SPEC Authentication',
    behaviour: 'On both mounts, the client address is read from X-Forwarded-For only if the request came from a proxy listed in TRUST_PROXY.',
  },
} as const satisfies Record<string, Requirement>

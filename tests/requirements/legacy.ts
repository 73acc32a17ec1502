import type { Requirement } from './requirement.ts'

/** The partner API, which preceded v1. */
export const legacy = {
  'legacy/still-works': {
    source: 'SPEC What the service does',
    behaviour: 'The legacy partner API at /api/v1 works for existing partners.',
  },
  'legacy/keys-issued-by-admin': {
    source: 'DECISIONS 20',
    behaviour: 'Partner keys start with svc_partner_ and only an admin can issue them.',
  },
  'legacy/rates-bare-array': { source: 'DECISIONS 20', behaviour: '/api/v1/rates returns a bare JSON array.' },
  'legacy/providers-bare-array': { source: 'DECISIONS 20', behaviour: '/api/v1/providers returns a bare JSON array.' },
  'legacy/rate-limited': { source: 'DECISIONS 20', behaviour: 'The legacy API is rate limited.' },
  'legacy/not-metered': { source: 'DECISIONS 20', behaviour: 'The legacy API is not metered.' },
  'legacy/deprecation-header': {
    source: 'DECISIONS 20',
    behaviour: 'Every response of the legacy API has the header Deprecation.',
  },
  'legacy/sunset-header': { source: 'DECISIONS 20', behaviour: 'Every response of the legacy API has the header Sunset.' },
  'legacy/successor-link': {
    source: 'DECISIONS 20',
    behaviour: 'Every response of the legacy API has a Link header with rel="successor-version".',
  },
} as const satisfies Record<string, Requirement>

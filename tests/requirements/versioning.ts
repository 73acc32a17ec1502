import type { Requirement } from './requirement.ts'

/** Changes that the contract allows. */
export const versioning = {
  'versioning/v1-in-the-path': {
    source: 'SPEC Versioning',
    behaviour: 'Version 1 is addressed by the path segment /v1 under the root of the service.',
  },
  'versioning/shapes-only-grow': {
    source: 'SPEC Versioning',
    behaviour: 'Within v1 no field, endpoint or query parameter is renamed, removed or changed in meaning.',
  },
  'versioning/deprecation-header': {
    source: 'SPEC Versioning',
    behaviour: 'While v1 is being retired, its responses have the header Deprecation.',
  },
  'versioning/sunset-header': {
    source: 'SPEC Versioning',
    behaviour: 'While v1 is being retired, its responses have the header Sunset with the retirement date.',
  },
  'versioning/changes-in-changelog': {
    source: 'SPEC Versioning',
    behaviour: 'A change is announced in the changelog.',
  },
  'versioning/changes-by-mail': {
    source: 'SPEC Versioning',
    behaviour: 'A change is announced by email to accounts with an active key.',
  },
  'versioning/availability-can-change': {
    source: 'SPEC Versioning',
    behaviour: 'A test-only endpoint can be opened to live keys later.',
  },
} as const satisfies Record<string, Requirement>

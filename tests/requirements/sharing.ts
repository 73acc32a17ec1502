import type { Requirement } from './requirement.ts'

/** Requirements for sharing a computed result between requests. */
export const sharing = {
  'sharing/up-to-sixty-seconds': {
    source: 'SPEC Limits',
    behaviour: 'A built result is shared for at most 60 seconds and then rebuilt.',
  },
  'sharing/each-request-charged': {
    source: 'SPEC Limits',
    behaviour: 'A request served from a shared result is charged like any other.',
  },
  'sharing/each-request-counted': {
    source: 'SPEC Limits',
    behaviour: 'A request served from a shared result counts towards the limits like any other.',
  },
} as const satisfies Record<string, Requirement>

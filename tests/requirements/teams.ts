import type { Requirement } from './requirement.ts'

/** Accounts with several members. */
export const teams = {
  'teams/personal-procedures': {
    source: 'PORTAL Teams',
    behaviour: "Sign-in, profile and time zone settings act on the member's own sign-in, whichever account is shown.",
  },
  'teams/member-in-audit': {
    source: 'PORTAL Teams',
    behaviour: 'Keys and audit entries belong to the account and record the member who made them.',
  },
  'teams/removal-immediate': {
    source: 'PORTAL Teams',
    behaviour: 'A removed member loses access with the next request; nothing that they had open changes another account.',
  },
  'teams/removal-races-key': {
    source: 'PORTAL Teams',
    behaviour: 'A member who is removed while they create a key either created it before, or gets an error.',
  },
} as const satisfies Record<string, Requirement>

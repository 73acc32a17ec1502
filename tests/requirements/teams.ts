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
  'teams/invitation': {
    source: 'PORTAL Teams',
    behaviour:
      'An owner invites someone by email; the link works once, for the invited and confirmed address only, and also for a person who signs up from it.',
  },
  'teams/transfer': {
    source: 'PORTAL Teams',
    behaviour: 'An owner transfers an account to a member and becomes a developer; both get an email.',
  },
  'teams/transfer-ends': {
    source: 'PORTAL Teams',
    behaviour:
      "A transfer ends what the previous owner agreed to: open invitations, automatic top-ups and the saved card. Receipts go to the new owner's address.",
  },
  'teams/notices': {
    source: 'PORTAL Teams',
    behaviour: 'Notices go to the owner of an account, and billing notices also to its billing members.',
  },
} as const satisfies Record<string, Requirement>

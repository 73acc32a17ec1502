import type { Requirement } from './requirement.ts'

/** Accounts with several members. */
export const teams = {
  'teams/personal-procedures': {
    source: 'PORTAL Teams',
    behaviour: "Sign-in, profile and time zone settings apply to the member's own login, whichever account is selected.",
  },
  'teams/member-in-audit': {
    source: 'PORTAL Teams',
    behaviour: 'Keys and audit entries belong to the account and record the member who made them.',
  },
  'teams/removal-immediate': {
    source: 'PORTAL Teams',
    behaviour: 'A removed member loses access with the next request; a page that they still have open cannot change another account.',
  },
  'teams/removal-races-key': {
    source: 'PORTAL Teams',
    behaviour: 'If a member is removed while creating a key, the key is either created before the removal or not at all.',
  },
  'teams/invitation': {
    source: 'PORTAL Teams',
    behaviour:
      'An owner invites someone by email; the link works once, only for the invited address after it is confirmed, and also for someone who signs up with it.',
  },
  'teams/transfer': {
    source: 'PORTAL Teams',
    behaviour: 'An owner transfers an account to a member and becomes a developer; both get an email.',
  },
  'teams/transfer-ends': {
    source: 'PORTAL Teams',
    behaviour: "A transfer cancels open invitations and automatic top-ups, and removes the saved card. Receipts go to the new owner's address.",
  },
  'teams/single-sign-on': {
    source: 'PORTAL Teams',
    behaviour:
      "An owner sets up the organisation's own OpenID Connect provider; members sign in with it, and the session gives access to that account only, not to the person's own login.",
  },
  'teams/single-sign-on-trust': {
    source: 'PORTAL Teams',
    behaviour:
      'An identity of an organisation signs in only the person who linked it, while signed in or with an invitation to the same address; never by email alone.',
  },
  'teams/single-sign-on-required': {
    source: 'PORTAL Teams',
    behaviour:
      'If an account requires single sign-on, a member other than the owner has access only in a session that began with it, from the next request on.',
  },
  'teams/single-sign-on-requests': {
    source: 'PORTAL Teams',
    behaviour: 'Requests to a provider that an owner configures reach public addresses only, follow no redirects, and have time and size limits.',
  },
  'teams/single-sign-on-transfer': {
    source: 'PORTAL Teams',
    behaviour: "A transfer removes single sign-on, with its links and sessions, so that the previous owner's provider can't sign anyone in.",
  },
  'teams/single-sign-on-owner': {
    source: 'PORTAL Teams',
    behaviour: "An owner who signed in with single sign-on can't close or transfer the account, and doesn't see the activity of their personal login.",
  },
  'teams/single-sign-on-older-release': {
    source: 'PORTAL Teams',
    behaviour: 'A release without single sign-on accepts neither the sessions nor the unfinished sign-ins that began with it.',
  },
  'teams/single-sign-on-ends': {
    source: 'PORTAL Teams',
    behaviour: 'Removing a member, leaving, unlinking and closing the account end the sessions that began with single sign-on.',
  },
  'teams/single-sign-on-separate': {
    source: 'PORTAL Teams',
    behaviour: "Sign-ins through an organisation's provider don't affect the person's own rate limits, session limit, known devices or password.",
  },
  'teams/single-sign-on-callback': {
    source: 'PORTAL Teams',
    behaviour:
      'Only the start of a sign-in and its callback in the same browser send requests to the provider; its discovery document is read at most once a minute.',
  },
  'teams/notices': {
    source: 'PORTAL Teams',
    behaviour: 'Notices go to the owner of an account, and billing notices also to its billing members.',
  },
} as const satisfies Record<string, Requirement>

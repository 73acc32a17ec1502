import type { Requirement } from './requirement.ts'

/** Sign-up and the account portal. */
export const portal = {
  'portal/password-sign-up': {
    source: 'SPEC Authentication',
    behaviour: 'An account signs up with e-mail and password.',
  },
  'portal/identity-provider-sign-up': {
    source: 'SPEC Authentication',
    behaviour: 'An account signs up through an external identity provider.',
  },
  'portal/email-confirmation': {
    source: 'SPEC Authentication',
    behaviour: 'Sign-up is followed by e-mail confirmation.',
  },
  'portal/starter-credits': { source: 'SPEC Limits', behaviour: 'A new account receives 20 starter credits.' },
  'portal/starter-credits-once': {
    source: 'DECISIONS 8',
    behaviour: 'The starter credits come once per account, at e-mail confirmation.',
  },
  'portal/licence-accepted-at-sign-up': {
    source: 'SPEC Authentication',
    behaviour: 'The account accepts the Data Licence at sign-up.',
  },
  'portal/same-login-as-site': {
    source: 'SPEC Authentication',
    behaviour: 'The portal uses the same login as the main site.',
  },
  'portal/usage-page-lags-seconds': {
    source: 'SPEC Limits',
    behaviour: 'The usage page says as of when its figures are true, a few seconds ago at most.',
  },
  'portal/live-key-before-approval': {
    source: 'DECISIONS 19',
    behaviour: 'A verified account can create a live key before approval and is told plainly that it works once approved.',
  },
  'portal/rotation-immediate-by-default': {
    source: 'DECISIONS 25',
    behaviour: 'Rotation takes the old key out of use at once unless the owner chooses an overlap.',
  },
  'portal/rotation-overlap': {
    source: 'DECISIONS 25',
    behaviour: 'With an overlap of at most 24 hours the old and the new key both work until it ends.',
  },
  'portal/licence-reacceptance': {
    source: 'SPEC States: Account',
    behaviour: 'After a change of the licence the portal says until when live calls go on, and accepting it there lets them go on.',
  },
} as const satisfies Record<string, Requirement>

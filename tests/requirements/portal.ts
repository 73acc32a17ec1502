import type { Requirement } from './requirement.ts'

/** Sign-up and the account portal. */
export const portal = {
  'portal/password-sign-up': {
    source: 'SPEC Authentication',
    behaviour: 'An account signs up with email and password.',
  },
  'portal/identity-provider-sign-up': {
    source: 'SPEC Authentication',
    behaviour: 'An account signs up through an external identity provider.',
  },
  'portal/contact-support': {
    source: 'PORTAL Support',
    behaviour: 'Every account, even if it is blocked, can contact support in the portal; the message is stored and emailed to the administrators.',
  },
  'portal/support-answer': {
    source: 'PORTAL Support',
    behaviour: 'An administrator replies from a queue; the customer gets the reply in the portal and by email, and can respond.',
  },
  'portal/support-write': {
    source: 'PORTAL Support',
    behaviour: 'An administrator can start a conversation with a customer, who gets the message in the portal and by email, and can reply.',
  },
  'portal/email-confirmation': {
    source: 'SPEC Authentication',
    behaviour: 'Sign-up is followed by email confirmation.',
  },
  'portal/starter-credits': { source: 'SPEC Limits', behaviour: 'A new account receives 20 starter credits.' },
  'portal/starter-credits-once': {
    source: 'DECISIONS 8',
    behaviour: 'An account receives starter credits once, when its email is confirmed.',
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
    behaviour: 'The usage page shows the time of its figures, which are at most a few seconds old.',
  },
  'portal/live-key-before-approval': {
    source: 'DECISIONS 19',
    behaviour: 'A verified account can create a live key before approval, and the portal states that it works once the account is approved.',
  },
  'portal/old-key-ended-early': {
    source: 'DECISIONS 25',
    behaviour: 'During a rotation overlap, the list shows the old key below the new one, and the page of the new key offers to revoke the old one.',
  },
  'portal/rotation-immediate-by-default': {
    source: 'DECISIONS 25',
    behaviour: 'Rotation revokes the old key immediately unless the owner chooses an overlap. For a key used in the last 7 days, the form preselects 24 hours.',
  },
  'portal/rotation-overlap': {
    source: 'DECISIONS 25',
    behaviour: 'With an overlap of at most 24 hours, the old and the new key both work until the overlap ends.',
  },
  'portal/licence-reacceptance': {
    source: 'SPEC States: Account',
    behaviour: 'After a licence change, the portal shows how long live calls keep working, and accepting the licence there lets them continue.',
  },
  'portal/form-before-scripts': {
    source: 'PORTAL Forms',
    behaviour: 'A form submitted before scripts have loaded saves nothing, and shows a page with instructions.',
  },
  'portal/public-procedure-bodies': {
    source: 'PORTAL Forms',
    behaviour: 'Without a session, request bodies are read only for public procedures, up to 64 KiB.',
  },
} as const satisfies Record<string, Requirement>

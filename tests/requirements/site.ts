import type { Requirement } from './requirement.ts'

/** The public site. */
export const site = {
  'site/home-counts': {
    source: 'SPEC What the service does',
    behaviour: 'The home page shows how many products, providers and rate changes the live market has, and since when.',
  },
  'site/home-example': {
    source: 'SPEC What the service does',
    behaviour: 'The home page shows the rows that a test key gets for the example call, and the price in one line.',
  },
  'site/home-use-cases': {
    source: 'SPEC What the service does',
    behaviour: 'The home page shows three uses of the API, each with code that works.',
  },
  'site/one-product-name': { source: 'SPEC Resources: Response envelope', behaviour: 'The site uses only the product name given in the attribution.' },
  'site/service-state-separate': {
    source: 'SPEC What the service does',
    behaviour: 'The status page reports the state of the service separately from the age of its data, so a new installation with old data is operational.',
  },
  'site/response-times': {
    source: 'SPEC What the service does',
    behaviour: 'The status page shows the median and the 95th percentile of response times over a day and 30 days.',
  },
  'site/incident-published': {
    source: 'SPEC What the service does',
    behaviour:
      'An incident written by an administrator is on the status page with its updates, newest first, and determines the headline until it is resolved.',
  },
  'site/incident-times': {
    source: 'SPEC What the service does',
    behaviour: 'A past incident is published with the start and the end that the administrator entered and saw in the preview.',
  },
  'site/incident-reopened': {
    source: 'SPEC What the service does',
    behaviour: "An update in any other state reopens a resolved incident. Unresolved incidents appear in the administrators' list of open work.",
  },
  'site/incident-feed': { source: 'SPEC What the service does', behaviour: 'Incidents and their updates are in the Atom feed /status.xml.' },
  'site/incident-audited': {
    source: 'SPEC What the service does',
    behaviour: 'Opening and updating an incident is recorded in the audit log with the reason.',
  },
  'site/incident-checked': {
    source: 'SPEC What the service does',
    behaviour: 'An incident needs a title, an update and a reason. It cannot start or end in the future, or end before it starts.',
  },
  'site/status-emails-confirmed': {
    source: 'SPEC What the service does',
    behaviour: 'Incidents are emailed to an address only after its owner has confirmed it; opening the link changes nothing.',
  },
  'site/status-emails-ended': {
    source: 'SPEC What the service does',
    behaviour: 'One click in the email or in the email client stops status emails and deletes the address.',
  },
  'site/status-emails-private': {
    source: 'SPEC What the service does',
    behaviour: 'A request for status emails gets the same response for known and unknown addresses.',
  },
  'site/support-address': { source: 'SPEC What the service does', behaviour: 'The help page, the privacy page and security.txt give the support address.' },
  'site/support-address-required': { source: 'SPEC What the service does', behaviour: 'In production, the service starts only with a support address.' },
} as const satisfies Record<string, Requirement>

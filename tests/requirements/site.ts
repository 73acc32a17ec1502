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
  'site/one-product-name': { source: 'SPEC Resources: Response envelope', behaviour: 'The site uses the product name of the attribution, and no other.' },
  'site/support-address': { source: 'SPEC What the service does', behaviour: 'The help page, the privacy page and security.txt give the support address.' },
  'site/support-address-required': { source: 'SPEC What the service does', behaviour: 'In production, the service starts only with a support address.' },
} as const satisfies Record<string, Requirement>

import type { Requirement } from './requirement.ts'

/** The six reference lists. */
export const reference = {
  'reference/products-items': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'An item in /reference/products has the sourceKey, the name, the provider and the account type.',
  },
  'reference/products-type-filter': {
    source: 'SPEC Endpoints: GET /reference/products',
    behaviour: '/reference/products accepts type, one of the account type values.',
  },
  'reference/products-provider-filter': {
    source: 'SPEC Endpoints: GET /reference/products',
    behaviour: '/reference/products accepts provider, a provider slug.',
  },
  'reference/products-whole-list': {
    source: 'SPEC Endpoints: GET /reference/products',
    behaviour: '/reference/products returns the whole list for one credit.',
  },
  'reference/others-whole-list': {
    source: 'SPEC Endpoints: GET /reference/providers',
    behaviour: 'Each reference list other than /reference/products returns the whole list for one credit.',
  },
  'reference/others-no-parameters': {
    source: 'SPEC Endpoints: GET /reference/providers',
    behaviour: 'The reference lists other than /reference/products accept no parameters.',
  },
  'reference/providers-items': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'An item in /reference/providers has the slug and the name.',
  },
  'reference/providers-active-only': {
    source: 'SPEC Resources: Reference list items',
    behaviour: '/reference/providers lists active providers only.',
  },
  'reference/cards-items': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'An item in /reference/cards has the sourceKey, the name, the provider and the card list.',
  },
  'reference/currencies-items': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'An item in /reference/currencies has the currency code, the name and the region.',
  },
  'reference/currencies-accepted-by-travel-cards': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'The currency parameter accepts every code from /reference/currencies on /cards/travel and /cards/travel/fx-history.',
  },
  'reference/account-types-items': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'An item in /reference/account-types has the value and a description.',
  },
  'reference/account-types-values': {
    source: 'SPEC Resources: Reference list items',
    behaviour:
      'The account types are all, easy-access, fixed-rate, notice, cash-isa, junior-isa, lifetime-isa, stocks-shares-isa, regular-saver and childrens-savings.',
  },
  'reference/products-filters': {
    source: 'SPEC Endpoints: GET /reference/products',
    behaviour: '/reference/products accepts the filters of /rates by term, notice, access, interest, new customers, licence group and name.',
  },
  'reference/account-types-accepted-by-rates': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'The type parameter of /rates accepts every value from /reference/account-types.',
  },
  'reference/account-types-accepted-by-history': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'The type parameter of /history accepts every value from /reference/account-types.',
  },
  'reference/fscs-legal-name': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'A brand in /reference/fscs has its legal name.',
  },
  'reference/fscs-scheme': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'A brand in /reference/fscs has its protection scheme.',
  },
  'reference/fscs-country': { source: 'SPEC Resources: Reference list items', behaviour: 'A brand in /reference/fscs has its country.' },
  'reference/fscs-owner': { source: 'SPEC Resources: Reference list items', behaviour: 'A brand in /reference/fscs has its owner.' },
  'reference/fscs-shared-licence': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'A brand in /reference/fscs lists the other brands on its licence, which list it in turn.',
  },
  'reference/fscs-provider-slug': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'A brand in /reference/fscs has providerSlug, which is null if the brand has no provider in the rates data.',
  },
  'reference/fscs-limits-as-numbers': {
    source: 'SPEC Resources: Reference list items',
    behaviour: '/reference/fscs returns the FSCS limits as numbers.',
  },
  'reference/fscs-covers-uk-banks': {
    source: 'SPEC Resources: Reference list items',
    behaviour: '/reference/fscs covers UK banks protected by the FSCS.',
  },
  'reference/fscs-covers-ns-and-i': { source: 'SPEC Resources: Reference list items', behaviour: '/reference/fscs covers NS&I.' },
  'reference/fscs-covers-eu-and-offshore': {
    source: 'SPEC Resources: Reference list items',
    behaviour: '/reference/fscs covers EU and offshore banks.',
  },
  'reference/fscs-covers-platforms-and-e-money': {
    source: 'SPEC Resources: Reference list items',
    behaviour: '/reference/fscs covers platforms and e-money firms that are not banks.',
  },
} as const satisfies Record<string, Requirement>

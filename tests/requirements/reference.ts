import type { Requirement } from './requirement.ts'

/** The six reference lists. */
export const reference = {
  'reference/products-items': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'An item of /reference/products has the sourceKey, the name, the provider and the account type.',
  },
  'reference/products-type-filter': {
    source: 'SPEC Endpoints: GET /reference/products',
    behaviour: '/reference/products takes type, one of the account type values.',
  },
  'reference/products-provider-filter': {
    source: 'SPEC Endpoints: GET /reference/products',
    behaviour: '/reference/products takes provider, a provider slug.',
  },
  'reference/products-whole-list': {
    source: 'SPEC Endpoints: GET /reference/products',
    behaviour: '/reference/products answers the whole list for one credit.',
  },
  'reference/others-whole-list': {
    source: 'SPEC Endpoints: GET /reference/providers',
    behaviour: 'Each of the other five reference lists answers the whole list for one credit.',
  },
  'reference/others-no-parameters': {
    source: 'SPEC Endpoints: GET /reference/providers',
    behaviour: 'The other five reference lists take no parameters.',
  },
  'reference/providers-items': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'An item of /reference/providers has the slug and the name.',
  },
  'reference/providers-active-only': {
    source: 'SPEC Resources: Reference list items',
    behaviour: '/reference/providers lists active providers only.',
  },
  'reference/cards-items': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'An item of /reference/cards has the sourceKey, the name, the provider and the card list that carries it.',
  },
  'reference/currencies-items': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'An item of /reference/currencies has the currency code, the name and the region.',
  },
  'reference/currencies-accepted-by-travel-cards': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'Every code of /reference/currencies is accepted in currency by /cards/travel and /cards/travel/fx-history.',
  },
  'reference/account-types-items': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'An item of /reference/account-types has the value and a description.',
  },
  'reference/account-types-values': {
    source: 'SPEC Resources: Reference list items',
    behaviour:
      'The account types are all, easy-access, fixed-rate, notice, cash-isa, junior-isa, lifetime-isa, stocks-shares-isa, regular-saver and childrens-savings.',
  },
  'reference/account-types-accepted-by-rates': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'Every value of /reference/account-types is accepted in type by /rates.',
  },
  'reference/account-types-accepted-by-history': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'Every value of /reference/account-types is accepted in type by /history.',
  },
  'reference/fscs-legal-name': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'A brand of /reference/fscs has its legal name.',
  },
  'reference/fscs-scheme': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'A brand of /reference/fscs has its protection scheme.',
  },
  'reference/fscs-country': { source: 'SPEC Resources: Reference list items', behaviour: 'A brand of /reference/fscs has its country.' },
  'reference/fscs-owner': { source: 'SPEC Resources: Reference list items', behaviour: 'A brand of /reference/fscs has its owner.' },
  'reference/fscs-shared-licence': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'A brand of /reference/fscs lists the other brands on its licence, which list it in return.',
  },
  'reference/fscs-provider-slug': {
    source: 'SPEC Resources: Reference list items',
    behaviour: 'A brand of /reference/fscs has providerSlug, null when the brand has no provider in the rates data.',
  },
  'reference/fscs-limits-as-numbers': {
    source: 'SPEC Resources: Reference list items',
    behaviour: '/reference/fscs gives the FSCS limits as numbers.',
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

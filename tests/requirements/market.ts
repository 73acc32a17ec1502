import type { Requirement } from './requirement.ts'

/** The data of the endpoints that are not yet launched. */
export const market = {
  'market/history-rows': {
    source: 'SPEC Endpoints: GET /history',
    behaviour: '/history answers rate changes, filtered by type.',
    deferred: 'market',
  },
  'market/history-component-rows': {
    source: 'SPEC Endpoints: GET /history',
    behaviour: '/history/components answers the history of base and bonus rates.',
    deferred: 'market',
  },
  'market/rate-trends': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/rate-trends answers trend series.',
    deferred: 'market',
  },
  'market/providers': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/providers lists the provider directory.',
  },
  'market/single-provider': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/providers/{slug} answers one provider with its nested list of products.',
  },
  'market/service-quality': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/providers/{slug}/service-quality answers the service quality of the provider.',
  },
  'market/switch-offers': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/switch-offers lists current-account switch offers.',
  },
  'market/account-offers': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/account-offers lists account offers.',
  },
  'market/reward-cards': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/cards/rewards lists reward cards.',
  },
  'market/travel-cards-currency': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/cards/travel takes currency with the values of /reference/currencies.',
  },
  'market/fx-history-currency': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/cards/travel/fx-history takes currency and answers exchange-rate history.',
  },
  'market/fx-rates': { source: 'SPEC Endpoints: Other GET endpoints', behaviour: '/fx/rates answers exchange rates.' },
  'market/fx-rates-either-scope': {
    source: 'DECISIONS 15',
    behaviour: '/fx/rates is served to a key with cards:read or market:read; either is enough.',
  },
  'market/overview': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/market/overview answers the market overview.',
    deferred: 'market',
  },
  'market/averages': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/market/averages answers average rates.',
    deferred: 'market',
  },
  'market/category-stats': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/market/category-stats answers statistics by category.',
    deferred: 'market',
  },
  'market/card-stats': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/market/card-stats answers card statistics.',
    deferred: 'market',
  },
  'market/hero-stats': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/market/hero-stats answers the headline statistics.',
    deferred: 'market',
  },
  'market/boe-rate': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/market/boe-rate answers the Bank of England rate.',
  },
  'market/ecb-rate': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/market/ecb-rate answers the European Central Bank rates.',
  },
  'market/inflation': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/market/inflation answers inflation.',
  },
  'market/provider-logo-asset': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: '/assets/providers/{slug} answers a provider logo.',
  },
  'market/card-image-asset': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: '/assets/cards/{sourceKey} answers a card image.',
  },
} as const satisfies Record<string, Requirement>

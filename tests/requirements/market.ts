import type { Requirement } from './requirement.ts'

/** The data of the market: history, offers, cards, providers, statistics, and how imports reach them. */
export const market = {
  'market/history-rows': {
    source: 'SPEC Endpoints: GET /history',
    behaviour: '/history answers rate changes, filtered by type.',
  },
  'market/history-newest-first': {
    source: 'SPEC Endpoints: GET /history',
    behaviour: 'Rate changes are listed newest first, in an order that no later change alters.',
  },
  'market/history-filters': {
    source: 'SPEC Endpoints: GET /history',
    behaviour: '/history also takes provider, sourceKey, from and to; a provider or a product that nothing is known of is 400.',
  },
  'market/history-row-fields': {
    source: 'SPEC Endpoints: GET /history',
    behaviour: 'A row has the rate before and after, the signed change, its direction, its day, the change before and Bank Rate on the day.',
  },
  'market/history-cursors-hold': {
    source: 'SPEC Endpoints: GET /history',
    behaviour: 'A walk through /rates, /history or /history/components while imports happen neither skips nor repeats a row that was there throughout.',
  },
  'market/rates-walk-keeps-its-order': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour: 'A walk through /rates goes on in the order in which it began, so that products whose rates change meanwhile are given once, too.',
  },
  'market/imports-reach-every-process': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour: 'An import changes what the very next call returns on every process, and its ETag, which is the same on each.',
  },
  'market/history-follows-import': {
    source: 'SPEC Endpoints: GET /history',
    behaviour: 'An import changes what the next call of /history and /rates answers, and their ETags with it.',
  },
  'market/history-component-rows': {
    source: 'SPEC Endpoints: GET /history',
    behaviour: '/history/components answers the history of base and bonus rates.',
  },
  'market/rate-trends': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/rate-trends answers trend series.',
  },
  'market/rate-trends-about': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/rate-trends can be about one provider or one product, and about a window of days; the size of its answer is bounded.',
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
  },
  'market/averages': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/market/averages answers average rates.',
  },
  'market/category-stats': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/market/category-stats answers statistics by category.',
  },
  'market/card-stats': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/market/card-stats answers card statistics.',
  },
  'market/hero-stats': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/market/hero-stats answers the headline statistics.',
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

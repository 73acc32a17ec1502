import type { Requirement } from './requirement.ts'

/** Market data: history, offers, cards, providers, statistics, and how imports update them. */
export const market = {
  'market/history-rows': {
    source: 'SPEC Endpoints: GET /history',
    behaviour: '/history returns rate changes and can be filtered by type.',
  },
  'market/history-newest-first': {
    source: 'SPEC Endpoints: GET /history',
    behaviour: 'Rate changes are listed newest first, in a stable order.',
  },
  'market/history-filters': {
    source: 'SPEC Endpoints: GET /history',
    behaviour: '/history also accepts provider, sourceKey, from and to; an unknown provider or product returns 400.',
  },
  'market/history-row-fields': {
    source: 'SPEC Endpoints: GET /history',
    behaviour:
      'A row of /history has the old and new rate, the signed change, its direction and date, the date of the previous change, and Bank Rate on that date.',
  },
  'market/history-cursors-hold': {
    source: 'SPEC Endpoints: GET /history',
    behaviour: 'Paging through /rates, /history or /history/components during imports neither skips nor repeats a row that exists throughout.',
  },
  'market/rates-walk-keeps-its-order': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour: 'Paging through /rates keeps the order of the first page, so that products whose rates change while paging are returned exactly once.',
  },
  'market/imports-reach-every-process': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour: 'The first request to any process after an import returns the new data and a new ETag, which is the same on every process.',
  },
  'market/history-follows-import': {
    source: 'SPEC Endpoints: GET /history',
    behaviour: 'An import changes the next responses of /history and /rates, and their ETags.',
  },
  'market/history-component-rows': {
    source: 'SPEC Endpoints: GET /history',
    behaviour: '/history/components returns the history of base and bonus rates.',
  },
  'market/rate-trends': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/rate-trends returns trend series.',
  },
  'market/rate-trends-about': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/rate-trends can be filtered by provider, product and number of days, and its response size is limited.',
  },
  'market/providers': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/providers lists the provider directory.',
  },
  'market/single-provider': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/providers/{slug} returns a provider with its nested list of products.',
  },
  'market/service-quality': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/providers/{slug}/service-quality returns the service quality of the provider.',
  },
  'offers/updated-until': {
    source: 'SPEC Versioning',
    behaviour: 'meta.updatedUntil on /switch-offers and /providers is the same on all pages of a read and, passed as updatedSince, returns later changes.',
  },
  'offers/changes': {
    source: 'SPEC Versioning',
    behaviour: '/switch-offers and /providers accept updatedSince and withdrawn like /rates; ended offers count as withdrawn.',
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
    behaviour: 'The currency parameter of /cards/travel accepts the values listed by /reference/currencies.',
  },
  'market/fx-history-currency': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/cards/travel/fx-history accepts currency and returns the exchange-rate history.',
  },
  'market/fx-rates': { source: 'SPEC Endpoints: Other GET endpoints', behaviour: '/fx/rates returns exchange rates.' },
  'market/fx-rates-either-scope': {
    source: 'DECISIONS 15',
    behaviour: '/fx/rates accepts a key with either cards:read or market:read.',
  },
  'market/overview': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/market/overview returns the market overview.',
  },
  'market/averages': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/market/averages returns average rates.',
  },
  'market/category-stats': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/market/category-stats returns statistics by category.',
  },
  'market/card-stats': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/market/card-stats returns card statistics.',
  },
  'market/hero-stats': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/market/hero-stats returns the headline statistics.',
  },
  'market/boe-rate': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/market/boe-rate returns the Bank of England rate.',
  },
  'market/ecb-rate': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/market/ecb-rate returns the European Central Bank rates.',
  },
  'market/inflation': {
    source: 'SPEC Endpoints: Other GET endpoints',
    behaviour: '/market/inflation returns inflation rates.',
  },
  'market/provider-logo-asset': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: '/assets/providers/{slug} returns a provider logo.',
  },
  'market/card-image-asset': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: '/assets/cards/{sourceKey} returns a card image.',
  },
} as const satisfies Record<string, Requirement>

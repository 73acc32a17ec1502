import type { Requirement } from './requirement.ts'

/** Price, scope and live availability: one requirement for each endpoint. */
export const catalogue = {
  'catalogue/get-ping': { source: 'SPEC Endpoints: Endpoint table', behaviour: 'GET /ping: free, any key, open to live keys.' },
  'catalogue/get-me': { source: 'SPEC Endpoints: Endpoint table', behaviour: 'GET /me: free, any key, open to live keys.' },
  'catalogue/get-reference-providers': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /reference/providers: 1 per request, scope providers:read, open to live keys.',
  },
  'catalogue/get-reference-products': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /reference/products: 1 per request, scope rates:read, open to live keys.',
  },
  'catalogue/get-reference-cards': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /reference/cards: 1 per request, scope cards:read, open to live keys.',
  },
  'catalogue/get-reference-currencies': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /reference/currencies: 1 per request, scope cards:read, open to live keys.',
  },
  'catalogue/get-reference-account-types': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /reference/account-types: 1 per request, scope rates:read, open to live keys.',
  },
  'catalogue/get-reference-fscs': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /reference/fscs: 1 per request, scope providers:read, open to live keys.',
  },
  'catalogue/get-rates': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /rates: 1 per row, scope rates:read, open to live keys.',
  },
  'catalogue/get-rate': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /rates/{sourceKey}: 1 per request, scope rates:read, open to live keys.',
  },
  'catalogue/get-rate-link': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /rates/{sourceKey}/link: 1 per request, scope rates:read, open to live keys.',
  },
  'catalogue/get-history': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /history: 2 per row, scope history:read, open to live keys on the Enterprise plan.',
  },
  'catalogue/get-history-components': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /history/components: 2 per row, scope history:read, open to live keys on the Enterprise plan.',
  },
  'catalogue/get-rate-trends': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /rate-trends: 5 per request, scope history:read, test keys only.',
  },
  'catalogue/get-providers': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /providers: 1 per row, scope providers:read, open to live keys.',
  },
  'catalogue/get-provider': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /providers/{slug}: 1 per request, scope providers:read, open to live keys.',
  },
  'catalogue/get-provider-service-quality': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /providers/{slug}/service-quality: 2 per request, scope providers:read, open to live keys.',
  },
  'catalogue/get-switch-offers': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /switch-offers: 1 per row, scope offers:read, open to live keys.',
  },
  'catalogue/get-account-offers': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /account-offers: 5 per request, scope offers:read, test keys only.',
  },
  'catalogue/get-cards-rewards': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /cards/rewards: 5 per request, scope cards:read, test keys only.',
  },
  'catalogue/get-cards-travel': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /cards/travel: 5 per request, scope cards:read, test keys only.',
  },
  'catalogue/get-cards-travel-fx-history': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /cards/travel/fx-history: 5 per request, scope cards:read, test keys only.',
  },
  'catalogue/get-fx-rates': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /fx/rates: 1 per request, scope cards:read or market:read, open to live keys.',
  },
  'catalogue/get-market-overview': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /market/overview: 5 per request, scope market:read, test keys only.',
  },
  'catalogue/get-market-averages': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /market/averages: 5 per request, scope market:read, test keys only.',
  },
  'catalogue/get-market-category-stats': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /market/category-stats: 5 per request, scope market:read, test keys only.',
  },
  'catalogue/get-market-card-stats': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /market/card-stats: 5 per request, scope market:read, test keys only.',
  },
  'catalogue/get-market-hero-stats': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /market/hero-stats: 5 per request, scope market:read, test keys only.',
  },
  'catalogue/get-market-boe-rate': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /market/boe-rate: 5 per request, scope market:read, test keys only.',
  },
  'catalogue/get-market-ecb-rate': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /market/ecb-rate: 5 per request, scope market:read, test keys only.',
  },
  'catalogue/get-market-inflation': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /market/inflation: 5 per request, scope market:read, test keys only.',
  },
  'catalogue/get-simulate': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /simulate: 2 per request, scope rates:read, open to live keys.',
  },
  'catalogue/get-calculators-savings-tax': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /calculators/savings-tax: 1 per request, scope rates:read, open to live keys.',
  },
  'catalogue/get-calculators-isa-allowance': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /calculators/isa-allowance: 1 per request, scope rates:read, open to live keys.',
  },
  'catalogue/get-calculators-savings-growth': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /calculators/savings-growth: 1 per request, scope rates:read, open to live keys.',
  },
  'catalogue/get-calculators-regular-saver': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /calculators/regular-saver: 1 per request, scope rates:read, open to live keys.',
  },
  'catalogue/get-assets-provider': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /assets/providers/{slug}: 5 per request, scope providers:read, open to live keys.',
  },
  'catalogue/get-assets-card': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'GET /assets/cards/{sourceKey}: 5 per request, scope cards:read, test keys only.',
  },
  'catalogue/post-assistant': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'POST /assistant: 10 per request, scope assistant, coming soon and not callable.',
  },
  'catalogue/all-get-but-assistant': {
    source: 'SPEC What the service does',
    behaviour: 'Every data endpoint is a GET, except POST /assistant.',
  },
  'catalogue/test-keys-call-every-endpoint': {
    source: 'SPEC Endpoints: Endpoint table',
    behaviour: 'A test key can call every launched endpoint, including test-only ones.',
  },
} as const satisfies Record<string, Requirement>

import type { Requirement } from './requirement.ts'

/** GET /rates, GET /rates/{sourceKey} and GET /rates/{sourceKey}/link. */
export const rates = {
  'rates/lists-every-product': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour: 'GET /rates returns every listed savings product, each exactly once across pages.',
  },
  'rates/type-filter': { source: 'SPEC Endpoints: GET /rates', behaviour: 'type returns only products of that account type.' },
  'rates/type-all': { source: 'SPEC Endpoints: GET /rates', behaviour: 'type=all returns products of every account type.' },
  'rates/provider-filter': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour: 'provider returns only products of the provider with that slug.',
  },
  'rates/amount-filter': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour: 'amount returns only products that accept a balance of that amount in GBP.',
  },
  'rates/amount-explained': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour: 'With amount, matchReasons states that the balance is accepted and why.',
  },
  'rates/single-product': {
    source: 'SPEC Endpoints: GET /rates/{sourceKey}',
    behaviour: 'GET /rates/{sourceKey} returns the savings product in data.',
  },
  'rates/single-unknown-404': {
    source: 'SPEC Endpoints: GET /rates/{sourceKey}',
    behaviour: 'GET /rates/{sourceKey} with an unknown key returns 404 not_found.',
  },
  'rates/link-single-object': {
    source: 'SPEC Endpoints: GET /rates/{sourceKey}/link',
    behaviour: 'GET /rates/{sourceKey}/link returns data as a single object.',
  },
  'rates/link-provider-page': {
    source: 'SPEC Endpoints: GET /rates/{sourceKey}/link',
    behaviour: "GET /rates/{sourceKey}/link returns the URL of the product on its provider's site.",
  },
  'rates/link-unknown-404': { source: 'SPEC Errors', behaviour: 'GET /rates/{sourceKey}/link with an unknown key returns 404 not_found.' },
  'rates/refreshed-daily': {
    source: 'SPEC What the service does',
    behaviour: 'Rates are refreshed daily, in the UK morning.',
  },
} as const satisfies Record<string, Requirement>

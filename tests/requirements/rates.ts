import type { Requirement } from './requirement.ts'

/** GET /rates, GET /rates/{sourceKey} and GET /rates/{sourceKey}/link. */
export const rates = {
  'rates/lists-every-product': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour: 'GET /rates returns every listed savings product, each exactly once over the pages.',
  },
  'rates/type-filter': { source: 'SPEC Endpoints: GET /rates', behaviour: 'type keeps only the products of that account type.' },
  'rates/type-all': { source: 'SPEC Endpoints: GET /rates', behaviour: 'type=all keeps the products of every account type.' },
  'rates/provider-filter': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour: 'provider keeps only the products of the provider with that slug.',
  },
  'rates/amount-filter': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour: 'amount keeps only the products that accept a balance of that many GBP.',
  },
  'rates/amount-explained': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour: 'With amount, matchReasons says that and why the balance is accepted.',
  },
  'rates/single-product': {
    source: 'SPEC Endpoints: GET /rates/{sourceKey}',
    behaviour: 'GET /rates/{sourceKey} answers the one savings product in data.',
  },
  'rates/single-unknown-404': {
    source: 'SPEC Endpoints: GET /rates/{sourceKey}',
    behaviour: 'GET /rates/{sourceKey} with an unknown key gives 404 not_found.',
  },
  'rates/link-single-object': {
    source: 'SPEC Endpoints: GET /rates/{sourceKey}/link',
    behaviour: 'GET /rates/{sourceKey}/link answers data as a single object.',
  },
  'rates/link-provider-page': {
    source: 'SPEC Endpoints: GET /rates/{sourceKey}/link',
    behaviour: 'GET /rates/{sourceKey}/link gives the address of the product on the site of its provider.',
  },
  'rates/link-unknown-404': { source: 'SPEC Errors', behaviour: 'GET /rates/{sourceKey}/link with an unknown key gives 404 not_found.' },
  'rates/refreshed-daily': {
    source: 'SPEC What the service does',
    behaviour: 'Rates are refreshed daily, in the UK morning.',
  },
} as const satisfies Record<string, Requirement>

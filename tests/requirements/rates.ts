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
  'rates/filters': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour:
      'minRate, maxRate, minBalance, minTermMonths, maxTermMonths, maxNoticeDays, access, interestPaid, newCustomersOnly and fscsGroup return only products with these terms.',
  },
  'rates/amount-over-time': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour:
      'With amount, matchReasons of a regular saver or an ISA that cannot take the whole amount at once states how much it takes now, and how long the rest takes.',
  },
  'rates/payable-now': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour: 'payable=now omits products that accept the amount only over time, and ranks the others.',
  },
  'rates/filters-explained': { source: 'SPEC Endpoints: GET /rates', behaviour: 'matchReasons states the term of the product that each filter matched.' },
  'rates/filter-errors': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour: 'An invalid filter, or a minimum above its maximum, returns 400 with a message that names the parameter and says what to do.',
  },
  'rates/search': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour: 'q returns the products whose account or provider name has all the words, even with a typo.',
  },
  'rates/batch': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour: 'sourceKey with up to 50 comma-separated keys returns these products, charged per row.',
  },
  'rates/sort': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour: 'sort orders by rate, provider, updatedAt or minBalance, with ties by sourceKey; without sort, the best rate comes first.',
  },
  'rates/sort-cursors': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour: 'In every order, paging returns each product once, and a cursor is rejected with a different order or filter.',
  },
  'rates/sort-during-imports': {
    source: 'SPEC Endpoints: GET /rates',
    behaviour: 'Sorted by minBalance or provider, paging keeps the order of the first page while products change their minimum balance or provider.',
  },
  'rates/updated-since': {
    source: 'SPEC Versioning',
    behaviour: 'updatedSince on /rates returns the products changed after that time, charged per row; if there are none, nothing is charged.',
  },
  'rates/withdrawn': {
    source: 'SPEC Versioning',
    behaviour: 'With withdrawn=include, /rates also returns products withdrawn since updatedSince, with withdrawnAt.',
  },
  'rates/sync': {
    source: 'SPEC Versioning',
    behaviour: 'A copy updated with updatedSince, withdrawn=include and sort=updatedAt equals the list, even if the market changes in the meantime.',
  },
  'rates/updated-until': {
    source: 'SPEC Versioning',
    behaviour:
      'meta.updatedUntil of a read, passed as the next updatedSince, returns every change since the first page of that read, including those of an import that was running.',
  },
  'rates/changes-errors': {
    source: 'SPEC Versioning',
    behaviour: 'A malformed updatedSince, withdrawn without updatedSince, and an updatedSince from before the oldest stored withdrawals return 400.',
  },
  'rates/as-of': {
    source: 'SPEC Versioning',
    behaviour: 'With asOf, /rates and /providers/{slug} return the market as it was on that day, including filters and ranks.',
  },
  'rates/as-of-cursors': {
    source: 'SPEC Endpoints: Common list rules',
    behaviour: 'Paging with asOf returns each product of that day once, in the order of that day; its cursors are rejected without asOf.',
  },
  'rates/as-of-enterprise': {
    source: 'SPEC Authentication',
    behaviour: 'asOf needs the Enterprise plan: other live keys get 403 plan_upgrade_required and are not charged. Test keys read the sample.',
  },
  'rates/as-of-days': {
    source: 'SPEC Errors',
    behaviour: 'asOf with a day that is not stored returns 404 with the stored days; a malformed day, or asOf with updatedSince, returns 400.',
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

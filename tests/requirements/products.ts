import type { Requirement } from './requirement.ts'

/** The fields of a savings product. */
export const products = {
  'product/source-key': {
    source: 'SPEC Resources: Savings product',
    behaviour: 'sourceKey is a string; /rates/{sourceKey} returns the same product.',
  },
  'product/source-key-is-stable': {
    source: 'SPEC Resources: Savings product',
    behaviour: 'sourceKey stays the same when the product changes, including its name.',
  },
  'product/source-key-in-history-and-simulate': {
    source: 'SPEC Resources: Savings product',
    behaviour: 'sourceKey is accepted by /history and /simulate.',
  },
  'product/provider': { source: 'SPEC Resources: Savings product', behaviour: 'provider is the display name of the provider.' },
  'product/provider-slug': {
    source: 'SPEC Resources: Savings product',
    behaviour: 'providerSlug is a string, the slug of the same provider in /reference/providers.',
  },
  'product/account-name': { source: 'SPEC Resources: Savings product', behaviour: 'accountName is a string.' },
  'product/account-type': { source: 'SPEC Resources: Savings product', behaviour: 'accountType is the display label of the account type.' },
  'product/rate': { source: 'SPEC Resources: Savings product', behaviour: 'rate is an AER percentage string with two decimals.' },
  'product/base-rate': { source: 'SPEC Resources: Savings product', behaviour: 'baseRate is a percentage string.' },
  'product/boost-rate': {
    source: 'SPEC Resources: Savings product',
    behaviour: 'boostRate is a percentage string, the bonus part of the rate.',
  },
  'product/boost-duration': {
    source: 'SPEC Resources: Savings product',
    behaviour: 'boostDuration is the duration of the bonus as text, such as "12 months", or null.',
  },
  'product/interest-paid': {
    source: 'SPEC Resources: Savings product',
    behaviour: 'interestPaid is a label for the interest payment frequency.',
  },
  'product/interest-type': { source: 'SPEC Resources: Savings product', behaviour: 'interestType is a label such as variable or fixed.' },
  'product/access': { source: 'SPEC Resources: Savings product', behaviour: 'access is a label for the withdrawal terms.' },
  'product/min-balance': { source: 'SPEC Resources: Savings product', behaviour: 'minBalance is a number.' },
  'product/max-balance': { source: 'SPEC Resources: Savings product', behaviour: 'maxBalance is a number or null.' },
  'product/max-monthly-deposit': { source: 'SPEC Resources: Savings product', behaviour: 'maxMonthlyDeposit is a number or null.' },
  'product/fscs-details': { source: 'SPEC Resources: Savings product', behaviour: 'fscsDetails is the deposit protection statement.' },
  'product/new-customers-only': { source: 'SPEC Resources: Savings product', behaviour: 'newCustomersOnly is a boolean.' },
  'product/depositscout-url': {
    source: 'SPEC Resources: Savings product',
    behaviour: "depositscoutUrl is the absolute URL of the product page on the service's own site.",
  },
  'product/depositscout-url-page': {
    source: 'SPEC Resources: Savings product',
    behaviour: 'The page at depositscoutUrl exists and shows the product.',
  },
  'product/match-reasons': { source: 'SPEC Resources: Savings product', behaviour: 'matchReasons is an array of plain-English strings.' },
  'product/match-reasons-rank': {
    source: 'SPEC Resources: Savings product',
    behaviour: 'matchReasons states the correct rank of the product.',
  },
  'product/match-reasons-filters': {
    source: 'SPEC Resources: Savings product',
    behaviour: 'matchReasons states the filters that the product matched.',
  },
  'product/match-reasons-bonus': {
    source: 'SPEC Resources: Savings product',
    behaviour: 'matchReasons states the bonus of a product that has one.',
  },
  'product/match-reasons-fscs': { source: 'SPEC Resources: Savings product', behaviour: 'matchReasons states the FSCS cover.' },
  'product/updated-at': {
    source: 'SPEC Resources: Savings product',
    behaviour: 'updatedAt is the ISO 8601 UTC time of the last change to the product.',
  },
  'product/term-months': { source: 'SPEC Versioning', behaviour: 'termMonths is the term of the product in months, or null.' },
  'product/notice-days': { source: 'SPEC Versioning', behaviour: 'noticeDays is the notice period of the product in days, or null.' },
  'product/withdrawals-per-year': {
    source: 'SPEC Versioning',
    behaviour: 'withdrawalsPerYear is the maximum number of withdrawals a year, 0 if there are none, and null if no limit is stated.',
  },
  'product/maturity-date': { source: 'SPEC Versioning', behaviour: 'maturityDate is the ISO date on which the product matures, or null.' },
  'product/listed-since': {
    source: 'SPEC Versioning',
    behaviour: 'listedSince is the ISO date of the latest launch of the product in its history.',
  },
  'product/logo-on-enterprise': {
    source: 'SPEC Resources: Savings product',
    behaviour: 'providerLogoUrl is included on the Enterprise plan.',
  },
  'product/logo-omitted-on-other-plans': {
    source: 'SPEC Resources: Savings product',
    behaviour: 'providerLogoUrl is omitted on every other plan.',
  },
  'product/no-provider-page': {
    source: 'SPEC Resources: Savings product',
    behaviour: "A savings product does not include the URL of the provider's page; only the link endpoint returns it.",
  },
} as const satisfies Record<string, Requirement>

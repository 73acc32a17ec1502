import type { Requirement } from './requirement.ts'

/** Formats of dates, money and rates. */
export const formats = {
  'formats/dates-iso-8601-utc': { source: 'SPEC Resources: Response envelope', behaviour: 'Dates are ISO 8601 in UTC.' },
  'formats/rates-two-decimal-strings': {
    source: 'SPEC Resources: Response envelope',
    behaviour: 'Rates are percentage strings with two decimals.',
  },
  'formats/money-two-decimal-strings': {
    source: 'SPEC Resources: Response envelope',
    behaviour: 'Amounts are GBP strings with two decimals.',
  },
} as const satisfies Record<string, Requirement>

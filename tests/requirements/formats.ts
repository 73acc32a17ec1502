import type { Requirement } from './requirement.ts'

/** How dates, money and rates are written. */
export const formats = {
  'formats/dates-iso-8601-utc': { source: 'SPEC Resources: Response envelope', behaviour: 'Dates are ISO 8601 in UTC.' },
  'formats/rates-two-decimal-strings': {
    source: 'SPEC Resources: Response envelope',
    behaviour: 'Rates are strings holding a percentage with two decimals.',
  },
  'formats/money-two-decimal-strings': {
    source: 'SPEC Resources: Response envelope',
    behaviour: 'Money is a string holding GBP with two decimals.',
  },
} as const satisfies Record<string, Requirement>

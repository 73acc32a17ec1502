import type { ProductType } from '#server/api/contract/account-types.ts'
import type { ProviderType } from '../provider.ts'

/** Rates of one kind of account, in basis points: mean, maximum deviation from the mean (`reach`), and best rate in the market (`top`). */
export type RateProfile = { readonly mean: number; readonly reach: number; readonly top: number }

/** Withdrawal terms, and the number of withdrawals that they allow a year; null if they state no limit. */
export type Access = readonly [terms: string, withdrawalsPerYear: number | null]

/** Terms of a regular saver without withdrawals in its first year. */
export const lockedForYear = 'No withdrawals for 12 months'

/** Kind of account for the generator. Amounts in whole pounds; all values in a list are equally likely. */
export type AccountProfile = {
  /** Percentage of the market's products that are of this type. */
  readonly share: number
  readonly rates: RateProfile
  /** Rates by term in months. */
  readonly terms: readonly (readonly [months: number, rates: RateProfile])[]
  /** Percentage of accounts with a term. */
  readonly withTerm: number
  readonly notice: readonly number[]
  /** Percentage of accounts with an introductory bonus. */
  readonly withBonus: number
  readonly minimums: readonly number[]
  /** Null means no maximum. */
  readonly maximums: readonly (number | null)[]
  readonly monthlyDeposits: readonly number[]
  readonly names: readonly string[]
  readonly access: readonly Access[]
  readonly interestPaid: readonly string[]
  readonly offeredBy: readonly ProviderType[]
}

const none = { terms: [], withTerm: 0, notice: [], withBonus: 0, monthlyDeposits: [] } as const

const anyone = ['bank', 'building-society', 'credit-union'] as const
const lenders = ['bank', 'building-society'] as const

/**
 * Profiles by account type. Their averages approximate the real market of January 2026: easy access near 2.5% with the best about 4.5%, notice 3.4%, one-year
 * bonds 3.85%, variable cash ISAs 2.7%, one-year ISAs 3.8%, with Bank Rate at 3.75%. Individual products are fictional.
 */
export const accountProfiles: Record<ProductType, AccountProfile> = {
  'easy-access': {
    ...none,
    share: 27,
    rates: { mean: 248, reach: 215, top: 452 },
    withBonus: 22,
    minimums: [1, 1, 1, 1, 10, 100, 500, 1000, 1000, 5000],
    maximums: [85_000, 120_000, 120_000, 250_000, 250_000, 500_000, 1_000_000, 1_000_000, 2_000_000, null, null],
    names: ['Easy Access Saver', 'Online Saver', 'Instant Saver', 'Everyday Saver', 'Flexible Saver', 'Easy Access Account', 'App Saver'],
    access: [
      ['Withdraw at any time', null],
      ['Withdraw at any time', null],
      ['Withdraw at any time', null],
      ['Up to 3 withdrawals a year', 3],
      ['Up to 4 withdrawals a year', 4],
    ],
    interestPaid: ['Monthly', 'Monthly', 'Annually', 'Annually', 'Daily'],
    offeredBy: [...anyone, 'platform'],
  },
  'fixed-rate': {
    ...none,
    share: 29,
    rates: { mean: 385, reach: 70, top: 466 },
    terms: [
      [6, { mean: 374, reach: 75, top: 455 }],
      [9, { mean: 380, reach: 70, top: 458 }],
      [12, { mean: 385, reach: 70, top: 466 }],
      [12, { mean: 385, reach: 70, top: 466 }],
      [12, { mean: 385, reach: 70, top: 466 }],
      [18, { mean: 382, reach: 65, top: 460 }],
      [24, { mean: 381, reach: 65, top: 460 }],
      [24, { mean: 381, reach: 65, top: 460 }],
      [36, { mean: 378, reach: 65, top: 455 }],
      [60, { mean: 375, reach: 70, top: 455 }],
    ],
    withTerm: 100,
    minimums: [1, 500, 1000, 1000, 1000, 5000, 10_000],
    maximums: [85_000, 120_000, 250_000, 500_000, 1_000_000, 1_000_000, 2_000_000],
    names: ['Fixed Rate Bond', 'Fixed Term Deposit', 'Fixed Rate Saver', 'Online Bond'],
    access: [['No withdrawals before maturity', 0]],
    interestPaid: ['At maturity', 'Annually', 'Annually', 'Monthly'],
    offeredBy: [...lenders, 'platform'],
  },
  notice: {
    ...none,
    share: 9,
    rates: { mean: 342, reach: 105, top: 455 },
    notice: [30, 35, 60, 90, 90, 95, 100, 120, 180],
    minimums: [1, 500, 1000, 1000, 5000, 10_000],
    maximums: [85_000, 250_000, 500_000, 1_000_000, null],
    names: ['Notice Account', 'Notice Saver', 'Notice Deposit'],
    access: [],
    interestPaid: ['Monthly', 'Annually', 'Annually'],
    offeredBy: [...lenders, 'platform'],
  },
  'cash-isa': {
    ...none,
    share: 17,
    rates: { mean: 269, reach: 205, top: 450 },
    terms: [
      [12, { mean: 379, reach: 70, top: 446 }],
      [12, { mean: 379, reach: 70, top: 446 }],
      [24, { mean: 374, reach: 65, top: 440 }],
      [36, { mean: 370, reach: 65, top: 435 }],
    ],
    withTerm: 42,
    withBonus: 12,
    minimums: [1, 1, 1, 100, 500, 1000],
    maximums: [250_000, 500_000, 1_000_000, null, null, null],
    names: ['Cash ISA', 'Easy Access ISA', 'Flexible Cash ISA', 'Online ISA'],
    access: [
      ['Withdraw at any time', null],
      ['Withdraw at any time', null],
      ['Up to 3 withdrawals a year', 3],
    ],
    interestPaid: ['Monthly', 'Annually', 'Annually'],
    offeredBy: [...lenders, 'platform'],
  },
  'junior-isa': {
    ...none,
    share: 3,
    rates: { mean: 335, reach: 110, top: 440 },
    minimums: [1, 1, 10, 100],
    maximums: [null],
    names: ['Junior Cash ISA', 'Junior ISA', 'Young Saver ISA'],
    access: [['Locked until the age of 18', 0]],
    interestPaid: ['Annually'],
    offeredBy: lenders,
  },
  'lifetime-isa': {
    ...none,
    share: 2,
    rates: { mean: 325, reach: 100, top: 435 },
    minimums: [1, 1, 10, 50],
    maximums: [null],
    names: ['Lifetime ISA', 'Cash Lifetime ISA'],
    access: [['First home, or from the age of 60; otherwise a 25% charge', null]],
    interestPaid: ['Monthly', 'Annually'],
    offeredBy: lenders,
  },
  'stocks-shares-isa': {
    ...none,
    share: 3,
    rates: { mean: 205, reach: 180, top: 400 },
    minimums: [1, 25, 50, 100, 500],
    maximums: [null],
    names: ['Stocks and Shares ISA', 'Investment ISA'],
    access: [['Sell investments at any time; the rate is for uninvested cash', null]],
    interestPaid: ['Monthly', 'Quarterly'],
    offeredBy: ['bank', 'platform'],
  },
  'regular-saver': {
    ...none,
    share: 6,
    rates: { mean: 455, reach: 230, top: 750 },
    terms: [[12, { mean: 465, reach: 235, top: 750 }]],
    withTerm: 85,
    minimums: [1, 1, 10, 25],
    maximums: [],
    monthlyDeposits: [100, 150, 200, 200, 250, 250, 300, 300, 400, 500],
    names: ['Regular Saver', 'Monthly Saver', 'Club Saver'],
    access: [
      ['Withdraw at any time', null],
      ['Up to 2 withdrawals a year', 2],
      [lockedForYear, 0],
    ],
    interestPaid: ['At maturity', 'Annually'],
    offeredBy: anyone,
  },
  'childrens-savings': {
    ...none,
    share: 4,
    rates: { mean: 295, reach: 190, top: 500 },
    minimums: [1, 1, 5, 10],
    maximums: [5000, 10_000, 20_000, 50_000, 100_000],
    names: ["Children's Saver", 'Young Saver', 'First Saver', 'Kids Saver'],
    access: [
      ['Withdraw at any time', null],
      ['One withdrawal a month', 12],
    ],
    interestPaid: ['Annually', 'Monthly'],
    offeredBy: anyone,
  },
}

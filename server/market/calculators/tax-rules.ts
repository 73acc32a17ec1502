import file from '../data/tax-rules.json' with { type: 'json' }
import { rateBp, wholePounds } from './table-values.ts'
import type { TaxYear } from './tax-year.ts'

/** The bands of income tax, from the lowest. */
export type Band = 'basic' | 'higher' | 'additional'

/** What tax on savings interest depends on in one tax year: money in pence, rates in hundredths of a percent. */
export type TaxRules = {
  readonly personalAllowancePence: number
  /** Income above this, interest included, takes £1 off the personal allowance for every £2. */
  readonly taperStartPence: number
  /** Taxable income up to here is in the basic band, up to `additionalFromPence` in the higher one. */
  readonly basicBandPence: number
  readonly additionalFromPence: number
  readonly startingRateBandPence: number
  readonly savingsAllowancePence: Readonly<Record<Band, number>>
  readonly savingsRatesBp: Readonly<Record<Band, number>>
  /** Rates on wages and pensions in England, Wales and Northern Ireland. */
  readonly otherIncomeRatesBp: Readonly<Record<Band, number>>
  /** Whether the law fixes the order in which the personal allowance is used up. */
  readonly isOrderFixed: boolean
}

type Rates = Readonly<Record<Band, string>>

const toRates = ({ basic, higher, additional }: Rates) => ({ basic: rateBp(basic), higher: rateBp(higher), additional: rateBp(additional) })

function fromFile(year: (typeof file.years)[TaxYear]): TaxRules {
  const { basic, higher, additional } = year.personalSavingsAllowance
  return {
    personalAllowancePence: wholePounds(year.personalAllowance),
    taperStartPence: wholePounds(year.personalAllowanceTaperStart),
    basicBandPence: wholePounds(year.basicRateBand),
    additionalFromPence: wholePounds(year.additionalRateThreshold),
    startingRateBandPence: wholePounds(year.startingRateForSavingsBand),
    savingsAllowancePence: { basic: wholePounds(basic), higher: wholePounds(higher), additional: wholePounds(additional) },
    savingsRatesBp: toRates(year.savingsRates),
    otherIncomeRatesBp: toRates(year.otherIncomeRates),
    isOrderFixed: year.allowanceOrder === 'fixed',
  }
}

/** The rules of a tax year. Their sources stand in the data file. */
export function taxRules(taxYear: TaxYear): TaxRules {
  return fromFile(file.years[taxYear])
}

/** Savings and investment income above this has to be reported in a Self Assessment return, pence. */
export const selfAssessmentAbovePence = wholePounds(file.selfAssessmentAbove)

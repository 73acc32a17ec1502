import file from '../data/tax-rules.json' with { type: 'json' }
import { toHundredths } from '../decimal.ts'
import type { TaxYear } from './tax-year.ts'

/** Parses a rate of a data table, such as `20.00`, into hundredths of a percent. Throws if it is invalid: the tables ship with the code. */
export function rateBp(text: string): number {
  const hundredths = toHundredths(text)
  if (hundredths === undefined) throw new Error(`Invalid rate "${text}" in a data table: expected two decimals.`)
  return hundredths
}

/** Converts whole pounds of a data table to pence. */
export const wholePounds = (pounds: number): number => pounds * 100

/** Income tax bands, lowest first. */
export type Band = 'basic' | 'higher' | 'additional'

/** Rules for tax on savings interest in one tax year. Money in pence, rates in hundredths of a percent. */
export type TaxRules = {
  readonly personalAllowancePence: number
  /** Income (interest included) above which the personal allowance falls by £1 for every £2. */
  readonly taperStartPence: number
  /** Upper limit of the basic band; the higher band ends at `additionalFromPence`. */
  readonly basicBandPence: number
  readonly additionalFromPence: number
  readonly startingRateBandPence: number
  readonly savingsAllowancePence: Readonly<Record<Band, number>>
  readonly savingsRatesBp: Readonly<Record<Band, number>>
  /** Rates on wages and pensions in England, Wales and Northern Ireland. */
  readonly otherIncomeRatesBp: Readonly<Record<Band, number>>
  /** True if the law fixes the order in which the personal allowance is used. */
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

/** Returns the tax rules of a tax year. Sources are cited in the data file. */
export function taxRules(taxYear: TaxYear): TaxRules {
  return fromFile(file.years[taxYear])
}

/** Savings and investment income, in pence, above which a Self Assessment return is required. */
export const selfAssessmentAbovePence = wholePounds(file.selfAssessmentAbove)

import file from '../data/isa-rules.json' with { type: 'json' }
import { rateBp, wholePounds } from './table-values.ts'
import type { TaxYear } from './tax-year.ts'

/** The ISA limits of one tax year: money in pence, rates in hundredths of a percent. */
export type IsaRules = {
  /** Limit across all of an adult's ISAs. */
  readonly overallLimitPence: number
  readonly cashLimitUnder65Pence: number
  readonly cashLimitFrom65Pence: number
  readonly lifetimeLimitPence: number
  readonly lifetimeBonusBp: number
  readonly lifetimeMaxBonusPence: number
  /** Charge on the amount withdrawn, bonus included, unless it buys a first home or the holder is at least 60. */
  readonly lifetimeChargeBp: number
  /** Minimum age for cash ISAs. */
  readonly cashFromAge: number
  /** True if several ISAs of one type can be paid into in the year; never applies to lifetime ISAs. */
  readonly areSeveralAllowed: boolean
}

/** Returns the ISA rules of a tax year. Sources are cited in the data file. */
export function isaRules(taxYear: TaxYear): IsaRules {
  const year = file.years[taxYear]
  return {
    overallLimitPence: wholePounds(year.overallLimit),
    cashLimitUnder65Pence: wholePounds(year.cashIsaLimitUnder65),
    cashLimitFrom65Pence: wholePounds(year.cashIsaLimit65Plus),
    lifetimeLimitPence: wholePounds(year.lifetimeIsaLimit),
    lifetimeBonusBp: rateBp(year.lifetimeIsaBonusRate),
    lifetimeMaxBonusPence: wholePounds(year.lifetimeIsaMaxBonus),
    lifetimeChargeBp: rateBp(year.lifetimeIsaWithdrawalChargeRate),
    cashFromAge: year.cashIsaFromAge,
    areSeveralAllowed: year.multipleSameTypeAllowed,
  }
}

import file from '../data/isa-rules.json' with { type: 'json' }
import { rateBp, wholePounds } from './table-values.ts'
import type { TaxYear } from './tax-year.ts'

/** The ISA limits of one tax year: money in pence, rates in hundredths of a percent. */
export type IsaRules = {
  /** Over all ISAs of an adult together. */
  readonly overallLimitPence: number
  readonly cashLimitUnder65Pence: number
  readonly cashLimitFrom65Pence: number
  readonly lifetimeLimitPence: number
  readonly lifetimeBonusBp: number
  readonly lifetimeMostBonusPence: number
  /** Charged on the amount taken out, bonus included, unless it buys a first home or the holder is 60. */
  readonly lifetimeChargeBp: number
  /** From this age one may pay into cash ISAs. */
  readonly cashFromAge: number
  /** Whether one may pay into several ISAs of one type in the year; never into several lifetime ISAs. */
  readonly areSeveralAllowed: boolean
}

/** The rules of a tax year. Their sources stand in the data file. */
export function isaRules(taxYear: TaxYear): IsaRules {
  const year = file.years[taxYear]
  return {
    overallLimitPence: wholePounds(year.overallLimit),
    cashLimitUnder65Pence: wholePounds(year.cashIsaLimitUnder65),
    cashLimitFrom65Pence: wholePounds(year.cashIsaLimit65Plus),
    lifetimeLimitPence: wholePounds(year.lifetimeIsaLimit),
    lifetimeBonusBp: rateBp(year.lifetimeIsaBonusRate),
    lifetimeMostBonusPence: wholePounds(year.lifetimeIsaMaxBonus),
    lifetimeChargeBp: rateBp(year.lifetimeIsaWithdrawalChargeRate),
    cashFromAge: year.cashIsaFromAge,
    areSeveralAllowed: year.multipleSameTypeAllowed,
  }
}

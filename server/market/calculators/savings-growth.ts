import { type AccountMonth, growBalance, sumInterest } from './grow-balance.ts'
import { nominalRate } from './interest-rate.ts'
import { halfUpRoot } from './rounding.ts'

export type SavingsGrowthRequest = {
  /** Balance at the start. */
  readonly amountPence: bigint
  /** Deposit at the start of every month. */
  readonly monthlyPence: bigint
  /** Hundredths of a percent per year. */
  readonly rateBp: number
  readonly months: number
}

/** One year of growth; the last year may be shorter. `paidInPence` of the first year includes the opening amount. */
export type GrowthYear = { readonly year: number; readonly paidInPence: bigint; readonly interestPence: bigint; readonly balancePence: bigint }

export type SavingsGrowth = {
  readonly paidInPence: bigint
  readonly interestPence: bigint
  readonly endBalancePence: bigint
  readonly years: readonly GrowthYear[]
}

const monthsPerYear = 12

function toYear(months: readonly AccountMonth[], index: number, openingPence: bigint): GrowthYear {
  const deposits = months.reduce((sum, { depositPence }) => sum + depositPence, 0n)
  const paidInPence = index === 0 ? openingPence + deposits : deposits
  return { year: index + 1, paidInPence, interestPence: sumInterest(months), balancePence: months.at(-1)?.balancePence ?? openingPence }
}

/** Calculates the growth of savings at a constant rate. Interest is credited every twelve months and at the end. */
export function savingsGrowth({ amountPence, monthlyPence, rateBp, months }: SavingsGrowthRequest): SavingsGrowth {
  const yearlyRates = Array.from({ length: months }, () => nominalRate(rateBp))
  const run = growBalance({ openingPence: amountPence, depositPence: monthlyPence, yearlyRates, creditEvery: monthsPerYear })
  const years = Array.from({ length: Math.ceil(months / monthsPerYear) }, (_, index) =>
    toYear(run.slice(index * monthsPerYear, (index + 1) * monthsPerYear), index, amountPence),
  )
  const interestPence = sumInterest(run)
  const paidInPence = amountPence + monthlyPence * BigInt(months)
  return { paidInPence, interestPence, endBalancePence: paidInPence + interestPence, years }
}

/** Deflates an amount to today's money: amount ÷ (1 + inflation)^(months ÷ 12), to the penny. */
export function inTodaysMoney(pence: bigint, inflationBp: number, months: number): bigint {
  const span = BigInt(months)
  return halfUpRoot(pence ** 12n * 10_000n ** span, (10_000n + BigInt(inflationBp)) ** span, monthsPerYear)
}

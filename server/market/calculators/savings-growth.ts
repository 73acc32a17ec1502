import { type AccountMonth, growBalance, halfUp, halfUpRoot, nominalRate, sumInterest } from './interest.ts'

type SavingsGrowthRequest = {
  /** Balance at the start. */
  readonly amountPence: bigint
  /** Deposit at the start of every month. */
  readonly monthlyPence: bigint
  /** Basis points per year. */
  readonly rateBp: number
  readonly months: number
}

const monthsPerYear = 12

/** Sums up one year of growth; the last year may be shorter. `paidInPence` of the first year includes the opening amount. */
function toYear(months: readonly AccountMonth[], index: number, openingPence: bigint) {
  const deposits = months.reduce((sum, { depositPence }) => sum + depositPence, 0n)
  const paidInPence = index === 0 ? openingPence + deposits : deposits
  return { year: index + 1, paidInPence, interestPence: sumInterest(months), balancePence: months.at(-1)?.balancePence ?? openingPence }
}

/** Calculates the growth of savings at a constant rate. Interest is credited every twelve months and at the end. */
export function savingsGrowth({ amountPence, monthlyPence, rateBp, months }: SavingsGrowthRequest) {
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

/** Returns the number of months for which a deposit earns interest before the next credit. `index` is the month of the deposit, counted from 0. */
function monthsToCredit(index: number, months: number): number {
  const credit = Math.min((Math.floor(index / monthsPerYear) + 1) * monthsPerYear, months)
  return credit - index
}

/**
 * Simulates equal deposits at the start of every month. Each deposit earns rate ÷ 12 for every month that it is held; over n months (up to twelve), the
 * interest is monthly × rate ÷ 12 × n(n + 1) ÷ 2. Interest is credited every twelve months and at the end.
 */
export function regularSaver({ monthlyPence, rateBp, months }: Omit<SavingsGrowthRequest, 'amountPence'>) {
  const yearlyRates = Array.from({ length: months }, () => nominalRate(rateBp))
  const run = growBalance({ openingPence: 0n, depositPence: monthlyPence, yearlyRates, creditEvery: monthsPerYear })
  const interestPence = sumInterest(run)
  const paidInPence = monthlyPence * BigInt(months)
  const earningPence = run.reduce((sum, month) => sum + month.balancePence - month.interestPence, 0n)
  return {
    paidInPence,
    interestPence,
    endBalancePence: paidInPence + interestPence,
    /** Mean of the monthly balances that earned interest. */
    averageBalancePence: halfUp(earningPence, BigInt(months)),
    /** Interest as a percentage of the deposits, in basis points. */
    effectiveReturnBp: Number(halfUp(interestPence * 10_000n, paidInPence)),
    schedule: run.map((month, index) => ({
      ...month,
      month: index + 1,
      /** Interest that this deposit earns until the next credit, rounded separately. */
      depositInterestPence: halfUp(monthlyPence * BigInt(rateBp * monthsToCredit(index, months)), 120_000n),
    })),
  }
}

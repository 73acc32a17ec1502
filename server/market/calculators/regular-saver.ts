import { growBalance, sumInterest } from './grow-balance.ts'
import { nominalRate } from './interest-rate.ts'
import { halfUp } from './rounding.ts'

export type RegularSaverRequest = {
  readonly monthlyPence: bigint
  /** Hundredths of a percent a year. */
  readonly rateBp: number
  readonly months: number
}

/** One month: what was paid in, what that deposit earns up to the next credit (rounded for itself), what was credited, what stands after. */
export type SaverMonth = {
  readonly month: number
  readonly depositPence: bigint
  readonly depositInterestPence: bigint
  readonly interestPence: bigint
  readonly balancePence: bigint
}

export type RegularSaver = {
  readonly paidInPence: bigint
  readonly interestPence: bigint
  readonly endBalancePence: bigint
  /** The mean of the balances that earned interest, one for each month. */
  readonly averageBalancePence: bigint
  /** Interest as a share of what was paid in, in hundredths of a percent. */
  readonly effectiveReturnBp: number
  readonly schedule: readonly SaverMonth[]
}

const monthsPerCredit = 12

/** Months that a deposit earns interest for until the next credit, when it is made at the start of this month (counted from 0). */
function monthsToCredit(index: number, months: number): number {
  const credit = Math.min((Math.floor(index / monthsPerCredit) + 1) * monthsPerCredit, months)
  return credit - index
}

/**
 * A saver who pays in the same at the start of every month. Each deposit earns rate ÷ 12 for each of its months; over up to twelve months that
 * is monthly × rate ÷ 12 × n(n + 1) ÷ 2. Interest is credited every twelve months and at the end.
 */
export function regularSaver({ monthlyPence, rateBp, months }: RegularSaverRequest): RegularSaver {
  const yearlyRates = Array.from({ length: months }, () => nominalRate(rateBp))
  const run = growBalance({ openingPence: 0n, depositPence: monthlyPence, yearlyRates, creditEvery: monthsPerCredit })
  const interestPence = sumInterest(run)
  const paidInPence = monthlyPence * BigInt(months)
  const earningPence = run.reduce((sum, month) => sum + month.balancePence - month.interestPence, 0n)
  return {
    paidInPence,
    interestPence,
    endBalancePence: paidInPence + interestPence,
    averageBalancePence: halfUp(earningPence, BigInt(months)),
    effectiveReturnBp: Number(halfUp(interestPence * 10_000n, paidInPence)),
    schedule: run.map((month, index) => ({
      ...month,
      month: index + 1,
      depositInterestPence: halfUp(monthlyPence * BigInt(rateBp * monthsToCredit(index, months)), 120_000n),
    })),
  }
}

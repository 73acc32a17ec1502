import { type Compounding, monthsBetweenCredits } from './compounding.ts'
import { growBalance, sumInterest } from './grow-balance.ts'
import { grossOfAer, termGrowth, type YearlyRate } from './interest-rate.ts'
import { halfUpRoot } from './rounding.ts'

/** Account terms used by a simulation. Rates are AER in hundredths of a percent. */
export type SimulationTerms = {
  /** Rate without the bonus. */
  readonly baseRateBp: number
  /** Bonus rate and its duration in months from the start; both 0 without a bonus. */
  readonly boostRateBp: number
  readonly boostMonths: number
  readonly compounding: Compounding
  /** Months to maturity, when the simulation stops; null if the account has no term. */
  readonly termMonths: number | null
}

/** One month: the rate in force (AER), the interest credited at its end, the closing balance. */
export type SimulatedMonth = { readonly month: number; readonly rateBp: number; readonly interestPence: bigint; readonly balancePence: bigint }

export type Simulation = {
  /** Months simulated: the months requested, or the term if that is shorter. */
  readonly months: number
  readonly interestPence: bigint
  readonly endBalancePence: bigint
  /** Yearly rate that gives the same end balance, in hundredths of a percent. */
  readonly effectiveAerBp: number
  readonly schedule: readonly SimulatedMonth[]
}

/** Converts the AER of each month to the gross rate for the crediting frequency. */
function engineRates(aerBpByMonth: readonly number[], compounding: Compounding): YearlyRate[] {
  const between = monthsBetweenCredits[compounding]
  if (between === null) return aerBpByMonth.map((_, index) => (index === aerBpByMonth.length - 1 ? termGrowth(aerBpByMonth) : 0n))
  const gross = new Map(aerBpByMonth.map((aerBp) => [aerBp, 0n]))
  for (const aerBp of gross.keys()) gross.set(aerBp, grossOfAer(aerBp, 12 / between))
  return aerBpByMonth.map((aerBp) => gross.get(aerBp) ?? 0n)
}

/** (end ÷ start)^(12 ÷ months) − 1, rounded half up to hundredths of a percent using integers only. */
function effectiveAer(startPence: bigint, endPence: bigint, months: number): number {
  const grown = halfUpRoot(10_000n ** BigInt(months) * endPence ** 12n, startPence ** 12n, months)
  return Number(grown) - 10_000
}

/**
 * Simulates a single deposit under the terms of an account. The bonus ends after its months, and a partial crediting period at the end is
 * credited pro rata. The amount must be above 0.
 */
export function simulate(amountPence: bigint, askedMonths: number, terms: SimulationTerms): Simulation {
  const months = Math.min(askedMonths, terms.termMonths ?? askedMonths)
  const aerBpByMonth = Array.from({ length: months }, (_, index) => terms.baseRateBp + (index < terms.boostMonths ? terms.boostRateBp : 0))
  const run = growBalance({
    openingPence: amountPence,
    depositPence: 0n,
    yearlyRates: engineRates(aerBpByMonth, terms.compounding),
    creditEvery: monthsBetweenCredits[terms.compounding] ?? months,
  })
  const interestPence = sumInterest(run)
  const endBalancePence = amountPence + interestPence
  return {
    months,
    interestPence,
    endBalancePence,
    effectiveAerBp: effectiveAer(amountPence, endBalancePence, months),
    schedule: run.map((month, index) => ({ ...month, month: index + 1, rateBp: aerBpByMonth[index] ?? 0 })),
  }
}

import type { Product } from '../product.ts'
import { grossOfAer, growBalance, halfUpRoot, sumInterest, termGrowth, type YearlyRate } from './interest.ts'

/** Interest-crediting frequencies. */
export const compoundings = ['daily', 'monthly', 'quarterly', 'half-yearly', 'annually', 'maturity'] as const

type Compounding = (typeof compoundings)[number]

/**
 * Months between interest payments; null if interest is credited once, at the end of the term. Interest paid daily is credited monthly: the AER already
 * includes compounding within the month, and a twelfth of a year isn't a whole number of days.
 */
export const monthsBetweenCredits: Readonly<Record<Compounding, number | null>> = {
  daily: 1,
  monthly: 1,
  quarterly: 3,
  'half-yearly': 6,
  annually: 12,
  maturity: null,
}

const labels: Readonly<Record<string, Compounding>> = {
  Daily: 'daily',
  Monthly: 'monthly',
  Quarterly: 'quarterly',
  'Half-yearly': 'half-yearly',
  Annually: 'annually',
  'At maturity': 'maturity',
}

/** Maps a product's `interestPaid` label to a crediting frequency. Returns undefined for unknown labels. */
export function toCompounding(interestPaid: string): Compounding | undefined {
  return Object.hasOwn(labels, interestPaid) ? labels[interestPaid] : undefined
}

/** Account terms used by a simulation. Rates are AER in basis points. */
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

/** One month: the rate in force (AER), the interest credited at the end of the month, and the closing balance. */
export type SimulatedMonth = { readonly month: number; readonly rateBp: number; readonly interestPence: bigint; readonly balancePence: bigint }

export type Simulation = {
  /** Months simulated: the months requested, or the term if that is shorter. */
  readonly months: number
  readonly interestPence: bigint
  readonly endBalancePence: bigint
  /** Yearly rate that gives the same end balance, in basis points. */
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

/** Returns (end ÷ start)^(12 ÷ months) − 1, rounded half up to basis points using integers only. */
function effectiveAer(startPence: bigint, endPence: bigint, months: number): number {
  const grown = halfUpRoot(10_000n ** BigInt(months) * endPence ** 12n, startPence ** 12n, months)
  return Number(grown) - 10_000
}

/**
 * Simulates a single deposit under the terms of an account. The bonus ends after `boostMonths`, and a partial crediting period at the end is
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

/** Parses a `boostDuration` such as `12 months`; null for anything else. */
function boostMonths(duration: string | null): number | null {
  const match = /^(\d{1,4}) months?$/.exec(duration ?? '')
  return match ? Number(match[1]) : null
}

/** Converts a product to simulation terms. Excludes a bonus of unknown duration, because its interest must not be promised. */
export function productTerms(product: Product): SimulationTerms {
  return {
    baseRateBp: product.baseRateBp,
    boostRateBp: product.boostRateBp,
    boostMonths: product.boostRateBp > 0 ? (boostMonths(product.boostDuration) ?? 0) : 0,
    compounding: toCompounding(product.interestPaid) ?? 'annually',
    termMonths: product.termMonths,
  }
}

/** Returns simulation terms for a constant rate, compounded yearly. */
export function plainTerms(rateBp: number): SimulationTerms {
  return { baseRateBp: rateBp, boostRateBp: 0, boostMonths: 0, compounding: 'annually', termMonths: null }
}

import { halfUp, wholeRoot } from './rounding.ts'

/**
 * Gross yearly rate, scaled by `wholeRate` (100%), to 60 decimal places. Precise enough to break half-penny ties correctly: a root that is
 * a finite decimal is exact to more digits than a tie can depend on, and any other root is irrational and never produces a tie.
 */
export type YearlyRate = bigint

export const wholeRate = 10n ** 60n

const basisPoints = 10_000n
const monthsPerYear = 12

/** Converts a contractual rate. One month's interest is a twelfth of it. */
export function nominalRate(rateBp: number): YearlyRate {
  return (BigInt(rateBp) * wholeRate) / basisPoints
}

/** Growth factor over these months, given the yearly growth (AER) of each: the twelfth root of the product. */
function growthFactor(aerBpByMonth: readonly number[]): bigint {
  const product = aerBpByMonth.reduce((grown, aerBp) => grown * (basisPoints + BigInt(aerBp)), 1n)
  return wholeRoot((product * wholeRate ** 12n) / basisPoints ** BigInt(aerBpByMonth.length), monthsPerYear)
}

/** Converts an AER to the equivalent gross yearly rate with n credits a year: n × ((1 + AER)^(1/n) − 1). */
export function grossOfAer(aerBp: number, creditsPerYear: number): YearlyRate {
  // With one credit a year the rates are equal, so the common case skips the root.
  if (creditsPerYear === 1) return nominalRate(aerBp)
  const months = Array.from({ length: monthsPerYear / creditsPerYear }, () => aerBp)
  return BigInt(creditsPerYear) * (growthFactor(months) - wholeRate)
}

/**
 * Converts the growth of a term that credits interest once, at its end, to the yearly rate of its last month. The engine counts a month as a
 * twelfth of a year, and interest accrued within the term is never shown.
 */
export function termGrowth(aerBpByMonth: readonly number[]): YearlyRate {
  return BigInt(monthsPerYear) * (growthFactor(aerBpByMonth) - wholeRate)
}

/** Rounds a yearly rate to the nearest hundredth of a percent, for display. */
export function toBasisPoints(rate: YearlyRate): number {
  return Number(halfUp(rate * basisPoints, wholeRate))
}

import { halfUp, wholeRoot } from './rounding.ts'

/**
 * A gross yearly rate as a whole number of parts of `wholeRate` (100 %). Sixty decimals are kept. A rate whose root is a finite decimal is
 * therefore exact as far as a tie of half a penny could depend on it; any other root is irrational and cannot lie on a tie.
 */
export type YearlyRate = bigint

export const wholeRate = 10n ** 60n

const basisPoints = 10_000n
const monthsPerYear = 12

/** The contractual rate itself: interest of a month is a twelfth of it, of a year the whole. */
export function nominalRate(rateBp: number): YearlyRate {
  return (BigInt(rateBp) * wholeRate) / basisPoints
}

/** The factor that money grows by over these months, when each has the yearly growth (AER) given for it: the twelfth root of the product. */
function growthFactor(aerBpByMonth: readonly number[]): bigint {
  const product = aerBpByMonth.reduce((grown, aerBp) => grown * (basisPoints + BigInt(aerBp)), 1n)
  return wholeRoot((product * wholeRate ** 12n) / basisPoints ** BigInt(aerBpByMonth.length), monthsPerYear)
}

/** The gross yearly rate that comes to this AER when interest is credited so many times a year: n × ((1 + AER)^(1/n) − 1). */
export function grossOfAer(aerBp: number, creditsPerYear: number): YearlyRate {
  // Once a year the two are the same, and most questions are spared the root.
  if (creditsPerYear === 1) return nominalRate(aerBp)
  const months = Array.from({ length: monthsPerYear / creditsPerYear }, () => aerBp)
  return BigInt(creditsPerYear) * (growthFactor(months) - wholeRate)
}

/**
 * The growth of a whole term that credits interest once, at its end, as the yearly rate of its last month: the engine counts a month as a
 * twelfth, and what builds up inside the term is never shown.
 */
export function termGrowth(aerBpByMonth: readonly number[]): YearlyRate {
  return BigInt(monthsPerYear) * (growthFactor(aerBpByMonth) - wholeRate)
}

/** A yearly rate to the nearest hundredth of a percent, for people. */
export function toBasisPoints(rate: YearlyRate): number {
  return Number(halfUp(rate * basisPoints, wholeRate))
}

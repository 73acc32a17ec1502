/**
 * Statistics over rates in whole hundredths of a percent. All integers: a sum of 100,000 rates stays far below 2^53. Rates are never negative, so
 * half up and half away from zero are the same.
 */

/** Divides, rounding half up to a whole number. */
function halfUp(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator))
}

/** Arithmetic mean, rounded half up; null if the count is 0. */
export function mean(sum: number, count: number): number | null {
  return count === 0 ? null : halfUp(sum, count)
}

/** Median of sorted rates; for an even count the mean of the middle two, rounded half up. Null if empty. */
export function median(sorted: readonly number[]): number | null {
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  return upper === undefined || lower === undefined ? null : halfUp(lower + upper, 2)
}

/** Percentile by nearest rank: the smallest rate that at least `percent` % of the rates don't exceed. Null if empty. */
export function percentile(rising: readonly number[], percent: number): number | null {
  return rising[Math.ceil((percent * rising.length) / 100) - 1] ?? null
}

/** Ratio in hundredths of a percent, rounded half up; null if `whole` is 0. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : halfUp(part * 10_000, whole)
}

/** Minimum number of institutions for an average, as at the Bank of England: with fewer, it could reveal the rates of one. */
export const minInstitutions = 3

/** Returns the average, or null if it must be withheld. */
export function unlessTooFew(average: number | null, institutions: number): number | null {
  return institutions < minInstitutions ? null : average
}

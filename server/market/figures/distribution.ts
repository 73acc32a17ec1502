/*
 * Figures over rates in whole hundredths of a percent. Everything is whole numbers: a sum of 100,000 rates stays far below 2^53. Rates are never
 * negative, so half up and half away from zero are the same.
 */

/** `numerator / denominator` to the nearest whole number, halves up. */
function halfUp(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator))
}

/** The arithmetic mean, to the hundredth, halves up; null of nothing. */
export function mean(sum: number, count: number): number | null {
  return count === 0 ? null : halfUp(sum, count)
}

/** The middle of rates that stand in order, of an even number the mean of the two middle ones, halves up; null of nothing. */
export function median(sorted: readonly number[]): number | null {
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  return upper === undefined || lower === undefined ? null : halfUp(lower + upper, 2)
}

/** The smallest of rates in rising order that at least so many percent of them do not exceed (nearest rank), so always one of them; null of nothing. */
export function percentile(rising: readonly number[], percent: number): number | null {
  return rising[Math.ceil((percent * rising.length) / 100) - 1] ?? null
}

/** A part of a whole in hundredths of a percent, halves up; null of nothing. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : halfUp(part * 10_000, whole)
}

/** An average is given from so many institutions on, as the Bank of England does it: of fewer it would tell the rates of one. */
export const fewestInstitutions = 3

/** The average unless it has to be withheld. */
export function unlessTooFew(average: number | null, institutions: number): number | null {
  return institutions < fewestInstitutions ? null : average
}

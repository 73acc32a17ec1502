import type { Measured, Sample } from './measure.ts'

export function median(numbers: readonly number[]): number | null {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle]
  const lower = sorted[middle - 1]
  if (upper === undefined) return null
  return sorted.length % 2 === 0 && lower !== undefined ? (lower + upper) / 2 : upper
}

type Figure = (sample: Sample) => number

export const requestsPerSecond: Figure = (sample) => sample.requestsPerSecond
export const p99Ms: Figure = (sample) => sample.p99Ms

/** Returns the median over the rounds, or null if the case was not measured. */
export function medianFigure(measured: Measured, id: string, figure: Figure): number | null {
  return median((measured.get(id) ?? []).map(figure))
}

/** Returns the median of the ratios between two cases in the same round, so that disturbances that affect a whole round cancel out. */
export function medianRatio(measured: Measured, id: string, toId: string, figure: Figure): number | null {
  const others = measured.get(toId) ?? []
  const ratios = (measured.get(id) ?? []).flatMap((sample, round) => {
    const other = others[round]
    return other ? [figure(sample) / figure(other)] : []
  })
  return median(ratios)
}

/** Histogram of plain counters, updated in place. Derived values are computed when they are read. */
export class Histogram {
  /** Upper bounds of the buckets in ascending order; values over the last bound have an extra bucket. */
  readonly bounds: readonly number[]
  readonly counts: Float64Array
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = new Float64Array(bounds.length + 1)
  }

  add(value: number): void {
    const { bounds, counts } = this
    let at = 0
    while (value > (bounds[at] ?? Number.POSITIVE_INFINITY)) at++
    counts[at] = (counts[at] ?? 0) + 1
    this.sum += value
  }
}

/** How often something was how large: plain numbers, counted up in place. Whoever reads them does so when asked, and nothing is worked out before. */
export class Histogram {
  /** Upper bounds of the buckets, rising; what is beyond the last one has a bucket of its own. */
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

const bucketMs = 0.01
const buckets = 200_000

/** Counts latencies in 10 µs buckets up to 2 s; longer ones count as 2 s, and the maximum is kept separately. */
export class Histogram {
  private readonly counts = new Uint32Array(buckets)
  total = 0
  longestMs = 0

  add(ms: number): void {
    const bucket = Math.min(buckets - 1, Math.floor(ms / bucketMs))
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1
    this.total++
    if (ms > this.longestMs) this.longestMs = ms
  }

  /** Returns the latency in milliseconds at the given percentile. */
  quantile(share: number): number {
    let left = Math.ceil(this.total * share)
    for (let bucket = 0; bucket < buckets; bucket++) {
      left -= this.counts[bucket] ?? 0
      if (left <= 0) return (bucket + 1) * bucketMs
    }
    return this.longestMs
  }
}

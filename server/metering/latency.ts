/** Boundaries between latency buckets, in milliseconds; a bucket includes its lower boundary. The SQL function `took_bucket` uses the same boundaries. */
export const latencyBoundsMs = [
  1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 125, 150, 200, 250, 300, 400, 500, 600, 800, 1_000, 1_250, 1_500, 2_000, 3_000, 5_000,
  10_000,
] as const

/** Latency histogram: request count by bucket number. */
export type Histogram = ReadonlyMap<number, number>

/**
 * Returns the upper bound, in milliseconds, of the bucket that contains this percentile; null without requests. For durations above all boundaries it
 * returns the highest one, which no response reaches.
 */
export function percentileMs(histogram: Histogram, share: number): number | null {
  const buckets = [...histogram].sort(([a], [b]) => a - b)
  const wanted = buckets.reduce((sum, [, requests]) => sum + requests, 0) * share
  let passed = 0
  for (const [bucket, requests] of buckets) {
    passed += requests
    if (passed >= wanted) return latencyBoundsMs[bucket] ?? latencyBoundsMs.at(-1) ?? null
  }
  return null
}

/** Adds one histogram to another in place. */
export function addTo(into: Map<number, number>, other: Histogram): void {
  for (const [bucket, requests] of other) into.set(bucket, (into.get(bucket) ?? 0) + requests)
}

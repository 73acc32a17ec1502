/** Bounds of the buckets in which durations are added up, in milliseconds. Bucket n holds those that reached n of them; `took_bucket` has the same. */
export const latencyBoundsMs = [
  1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 125, 150, 200, 250, 300, 400, 500, 600, 800, 1_000, 1_250, 1_500, 2_000, 3_000, 5_000,
  10_000,
] as const

/** Durations in buckets: requests by number of the bucket. */
export type Histogram = ReadonlyMap<number, number>

/**
 * The least bound that this share of the requests stayed below, in milliseconds; null without requests. It is the longest bound for what lies beyond all
 * of them: no answer takes that long.
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

/** Adds one histogram to another. */
export function addTo(into: Map<number, number>, other: Histogram): void {
  for (const [bucket, requests] of other) into.set(bucket, (into.get(bucket) ?? 0) + requests)
}

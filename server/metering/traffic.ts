import { dayMs } from '#server/api/contract/dates.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'
import { type LatencyRow, readHours, readMinutes, readTrafficLatency } from './usage.sql.ts'

/** Boundaries between latency buckets, in milliseconds; a bucket includes its lower boundary. The SQL function `duration_bucket` uses the same boundaries. */
export const latencyBoundsMs = [
  1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 125, 150, 200, 250, 300, 400, 500, 600, 800, 1_000, 1_250, 1_500, 2_000, 3_000, 5_000,
  10_000,
] as const

/** Latency histogram: request count by bucket number. */
type Histogram = ReadonlyMap<number, number>

/**
 * Returns a percentile as the upper boundary of its bucket, in milliseconds; null if there are no requests. `share` is 0.5 for the median. The last bucket has
 * no upper boundary, so its lower one is returned; no response takes that long.
 */
function percentileMs(histogram: Histogram, share: number): number | null {
  const buckets = [...histogram].sort(([a], [b]) => a - b)
  const wanted = buckets.reduce((sum, [, requests]) => sum + requests, 0) * share
  let passed = 0
  for (const [bucket, requests] of buckets) {
    passed += requests
    if (passed >= wanted) return latencyBoundsMs[bucket] ?? latencyBoundsMs.at(-1) ?? null
  }
  return null
}

/** Adds the counts of `other` to `into`. */
export function addTo(into: Map<number, number>, other: Histogram): void {
  for (const [bucket, requests] of other) into.set(bucket, (into.get(bucket) ?? 0) + requests)
}

/** Returns the median and the 95th percentile in milliseconds; null if there are no requests. */
export const toPercentiles = (histogram: Histogram) => ({ p50Ms: percentileMs(histogram, 0.5), p95Ms: percentileMs(histogram, 0.95) })

const toHistogram = (rows: readonly LatencyRow[], part: 'hour' | 'day'): Histogram =>
  new Map(rows.filter((row) => row[part] > 0).map((row) => [row.bucket, row[part]]))

/** Returns requests, errors and latency of the whole service in the last hour and day, from the aggregated figures. */
export async function getRecentTraffic(db: Database) {
  const progress = db.usageProgress.findFirst({ select: { asOf: true } })
  const [aggregated, minutes, hours, latency] = await Promise.all([progress, readMinutes(db), readHours(db), readTrafficLatency(db)])
  return {
    /** Time up to which the figures are complete; null if nothing has been aggregated yet. */
    asOf: aggregated?.asOf ?? null,
    minutes,
    hours,
    hour: toPercentiles(toHistogram(latency, 'hour')),
    day: toPercentiles(toHistogram(latency, 'day')),
  }
}

/** Response times of the whole service over the last day and the last 30 days, from the hourly figures. */
export async function getLatency(db: Database) {
  const read = async (days: number) => {
    const where = { grain: 'hour', at: { gt: new Date(clock.now() - days * dayMs) } }
    const rows = await db.serviceTraffic.groupBy({ by: ['bucket'], where, _sum: { requests: true } })
    return toPercentiles(new Map(rows.map(({ bucket, _sum }) => [bucket, Number(_sum.requests ?? 0)])))
  }
  const [day, month] = await Promise.all([read(1), read(30)])
  return { day, month }
}

import type { Pool } from 'pg'
import { percentileMs } from './latency.ts'
import { addedUpTo, hoursOfDay, type LatencyRow, latencyLately, minutesOfHour } from './traffic.store.ts'

/** Requests of a stretch of time, from `at` on. Refused is 4xx, failed is 5xx. */
export type TrafficLine = { readonly at: Date; readonly requests: number; readonly refused: number; readonly failed: number }

/** How long requests took, in milliseconds; null without requests. */
export type Latency = { readonly p50Ms: number | null; readonly p95Ms: number | null }

/** How the service as a whole fares. Minutes and hours without a request are left out. */
export type Traffic = {
  /** Up to when all of it is counted. */
  readonly asOf: Date | null
  readonly minutes: readonly TrafficLine[]
  readonly hours: readonly TrafficLine[]
  readonly hour: Latency
  readonly day: Latency
}

function latencyOf(rows: readonly LatencyRow[], part: 'hour' | 'day'): Latency {
  const histogram = new Map(rows.filter((row) => row[part] > 0).map((row) => [row.bucket, row[part]]))
  return { p50Ms: percentileMs(histogram, 0.5), p95Ms: percentileMs(histogram, 0.95) }
}

/** Requests, errors and durations of the last hour and day, from what was added up by minute and by hour. */
export async function trafficLately(pool: Pool): Promise<Traffic> {
  const [asOf, minutes, hours, latency] = await Promise.all([addedUpTo(pool), minutesOfHour(pool), hoursOfDay(pool), latencyLately(pool)])
  return { asOf, minutes, hours, hour: latencyOf(latency, 'hour'), day: latencyOf(latency, 'day') }
}

import type { Pool } from 'pg'
import { percentileMs } from './latency.ts'
import { type LatencyRow, readAggregatedUntil, readHours, readMinutes, readTrafficLatency } from './traffic.store.ts'

/** Requests of a minute or hour that starts at `at`. Refused means 4xx, failed means 5xx. */
export type TrafficLine = { readonly at: Date; readonly requests: number; readonly refused: number; readonly failed: number }

/** Latency percentiles in milliseconds; null without requests. */
export type Latency = { readonly p50Ms: number | null; readonly p95Ms: number | null }

/** Traffic of the whole service. Minutes and hours without requests are left out. */
export type Traffic = {
  /** Time up to which the figures are complete. */
  readonly asOf: Date | null
  readonly minutes: readonly TrafficLine[]
  readonly hours: readonly TrafficLine[]
  readonly hour: Latency
  readonly day: Latency
}

function toPercentiles(rows: readonly LatencyRow[], part: 'hour' | 'day'): Latency {
  const histogram = new Map(rows.filter((row) => row[part] > 0).map((row) => [row.bucket, row[part]]))
  return { p50Ms: percentileMs(histogram, 0.5), p95Ms: percentileMs(histogram, 0.95) }
}

/** Returns requests, errors and latency of the last hour and day, from the aggregated figures. */
export async function getRecentTraffic(pool: Pool): Promise<Traffic> {
  const [asOf, minutes, hours, latency] = await Promise.all([readAggregatedUntil(pool), readMinutes(pool), readHours(pool), readTrafficLatency(pool)])
  return { asOf, minutes, hours, hour: toPercentiles(latency, 'hour'), day: toPercentiles(latency, 'day') }
}

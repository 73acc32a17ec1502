import { dayMs } from '#server/api/contract/dates.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'

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

/** Number of requests in the minute or hour that starts at `at`. Rejected requests got a 4xx response; failed requests got a 5xx. */
type Traffic = { readonly at: Date; readonly requests: number; readonly refused: number; readonly failed: number }

type Grain = 'minute' | 'hour'

const shown = { minute: { count: 60, ms: 3_600_000 }, hour: { count: 24, ms: dayMs } } as const

const shownWhere = (grain: Grain) => ({ grain, at: { gt: new Date(clock.now() - shown[grain].ms) } })

/** Returns the requests of the last hour by minute or of the last day by hour, newest first. Periods without requests are left out. */
async function readTraffic(db: Database, grain: Grain): Promise<Traffic[]> {
  const rows = await db.serviceTraffic.groupBy({ by: ['at', 'status'], where: shownWhere(grain), _sum: { requests: true } })
  const periods = Map.groupBy(rows, ({ at }) => at.getTime())
  const sum = (own: typeof rows, min: number, max: number) =>
    own.filter(({ status }) => status >= min && status <= max).reduce((total, { _sum }) => total + Number(_sum.requests ?? 0), 0)
  return [...periods]
    .sort(([a], [b]) => b - a)
    .slice(0, shown[grain].count)
    .map(([at, own]) => ({ at: new Date(at), requests: sum(own, 0, 999), refused: sum(own, 400, 499), failed: sum(own, 500, 599) }))
}

async function readHistogram(db: Database, where: { readonly grain: Grain; readonly at: { readonly gt: Date } }): Promise<Histogram> {
  const rows = await db.serviceTraffic.groupBy({ by: ['bucket'], where, _sum: { requests: true } })
  return new Map(rows.map(({ bucket, _sum }) => [bucket, Number(_sum.requests ?? 0)]))
}

/** Returns requests, errors and latency of the whole service in the last hour and day, from the aggregated figures. */
export async function getRecentTraffic(db: Database) {
  const progress = db.usageProgress.findFirst({ select: { asOf: true } })
  const [aggregated, minutes, hours, hour, day] = await Promise.all([
    progress,
    readTraffic(db, 'minute'),
    readTraffic(db, 'hour'),
    readHistogram(db, shownWhere('minute')),
    readHistogram(db, shownWhere('hour')),
  ])
  return {
    /** Time up to which the figures are complete; null if nothing has been aggregated yet. */
    asOf: aggregated?.asOf ?? null,
    minutes,
    hours,
    hour: toPercentiles(hour),
    day: toPercentiles(day),
  }
}

/** Response times of the whole service over the last day and the last 30 days, from the hourly figures. */
export async function getLatency(db: Database) {
  const read = async (days: number) => toPercentiles(await readHistogram(db, { grain: 'hour', at: { gt: new Date(clock.now() - days * dayMs) } }))
  const [day, month] = await Promise.all([read(1), read(30)])
  return { day, month }
}

/** Deletes per-minute and per-hour traffic rows that are no longer shown. */
export async function deleteTraffic(db: Database): Promise<void> {
  await db.serviceTraffic.deleteMany({ where: { grain: 'minute', at: { lt: new Date(clock.now() - 2 * 3_600_000) } } })
  await db.serviceTraffic.deleteMany({ where: { grain: 'hour', at: { lt: new Date(clock.now() - 30 * dayMs) } } })
}

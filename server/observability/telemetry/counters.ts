/** Histogram of plain counters, updated in place. Derived values are computed when they are read. */
export class Histogram {
  /** Upper bounds of the buckets in ascending order; values above the last bound go into an extra bucket. */
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

const sizeBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const boundsMs = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500]

/** Outcomes of a request in a lost batch: charged or uncharged. A refunded charge counts as uncharged. */
const settlements = ['charged', 'uncharged'] as const

/** Metrics of the batches in which this process's calls are admitted. */
class AdmissionCounts {
  readonly sizes = new Histogram(sizeBounds)
  /** Milliseconds per batch: the wait of its first call, the duration of its statement, and the flush of its commit to disk. */
  readonly waitMs = new Histogram(boundsMs)
  readonly statementMs = new Histogram(boundsMs)
  readonly flushMs = new Histogram(boundsMs)
  /** Calls that failed because the queue was full. */
  queueFull = 0
  /** Calls that timed out. */
  late = 0
  /** Batches with an unknown outcome, and batches that PostgreSQL rejected. */
  lost = 0
  refused = 0
  readonly settled: Record<(typeof settlements)[number], number> = { charged: 0, uncharged: 0 }
}

export const admissions = new AdmissionCounts()

const deliveryBoundsMs = [10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]

const deliveryOutcomes = ['delivered', 'retry', 'dead', 'gone'] as const

export type DeliveryOutcome = (typeof deliveryOutcomes)[number]

/** Metrics of this process's webhook delivery attempts. */
class DeliveryCounts {
  readonly counts: Record<DeliveryOutcome, number> = { delivered: 0, retry: 0, dead: 0, gone: 0 }
  readonly tookMs = new Histogram(deliveryBoundsMs)

  add(outcome: DeliveryOutcome, tookMs: number): void {
    this.counts[outcome]++
    this.tookMs.add(tookMs)
  }
}

export const deliveries = new DeliveryCounts()

/** Metrics of one job's runs in this process. */
type JobCounts = { succeeded: number; failed: number; tookMs: number }

/** This process's job metrics, by job name. The map can't grow beyond the number of jobs in the code. */
export const jobRuns = new Map<string, JobCounts>()

export function countRun(name: string, isOk: boolean, tookMs: number): void {
  const telemetry = jobRuns.get(name) ?? { succeeded: 0, failed: 0, tookMs: 0 }
  if (isOk) telemetry.succeeded++
  else telemetry.failed++
  telemetry.tookMs += tookMs
  jobRuns.set(name, telemetry)
}

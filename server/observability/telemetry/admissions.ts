import { Histogram } from './histogram.ts'

const sizeBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const boundsMs = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500]

/** Outcomes of a request in a lost batch: charged, or uncharged, which includes a refunded charge. */
export const settlements = ['charged', 'uncharged'] as const

/** Metrics of the batches in which this process's calls are admitted. */
class AdmissionCounts {
  readonly sizes = new Histogram(sizeBounds)
  /** Milliseconds that the first call of a batch waited, that its statement took, and that its commit waited for the disk. */
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

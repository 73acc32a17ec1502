import { Histogram } from './histogram.ts'

const sizeBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const boundsMs = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500]

/** What becomes of a request whose batch was lost: it is charged, or it is not, be it that its charge was given back. */
export const settlements = ['charged', 'uncharged'] as const

/** Counts the batches in which calls of this process are decided. */
class AdmissionTally {
  readonly sizes = new Histogram(sizeBounds)
  /** How long the first of a batch waited for it, the statement, and the wait for the disk. */
  readonly waitMs = new Histogram(boundsMs)
  readonly statementMs = new Histogram(boundsMs)
  readonly flushMs = new Histogram(boundsMs)
  /** Calls that found the queue full. */
  queueFull = 0
  /** Calls that were given up after their time. */
  late = 0
  /** Batches whose outcome was not known, and such that PostgreSQL refused. */
  lost = 0
  refused = 0
  readonly settled: Record<(typeof settlements)[number], number> = { charged: 0, uncharged: 0 }
}

export const admissions = new AdmissionTally()

import { Histogram } from './histogram.ts'

const deliveryBoundsMs = [10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]

export const deliveryOutcomes = ['delivered', 'retry', 'dead', 'gone'] as const

export type DeliveryOutcome = (typeof deliveryOutcomes)[number]

/** Attempts of this process to deliver webhooks. */
class DeliveryTally {
  readonly counts: Record<DeliveryOutcome, number> = { delivered: 0, retry: 0, dead: 0, gone: 0 }
  readonly tookMs = new Histogram(deliveryBoundsMs)

  add(outcome: DeliveryOutcome, tookMs: number): void {
    this.counts[outcome]++
    this.tookMs.add(tookMs)
  }
}

export const deliveries = new DeliveryTally()

/** Runs of one job in this process. */
export type JobTally = { succeeded: number; failed: number; tookMs: number }

/** Jobs of this process by name: as many as the code has. */
export const jobRuns = new Map<string, JobTally>()

export function countRun(name: string, isOk: boolean, tookMs: number): void {
  const tally = jobRuns.get(name) ?? { succeeded: 0, failed: 0, tookMs: 0 }
  if (isOk) tally.succeeded++
  else tally.failed++
  tally.tookMs += tookMs
  jobRuns.set(name, tally)
}

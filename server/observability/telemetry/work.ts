import { Histogram } from './histogram.ts'

const deliveryBoundsMs = [10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]

export const deliveryOutcomes = ['delivered', 'retry', 'dead', 'gone'] as const

export type DeliveryOutcome = (typeof deliveryOutcomes)[number]

/** Metrics of this process's webhook delivery attempts. */
class DeliveryTally {
  readonly counts: Record<DeliveryOutcome, number> = { delivered: 0, retry: 0, dead: 0, gone: 0 }
  readonly tookMs = new Histogram(deliveryBoundsMs)

  add(outcome: DeliveryOutcome, tookMs: number): void {
    this.counts[outcome]++
    this.tookMs.add(tookMs)
  }
}

export const deliveries = new DeliveryTally()

/** Metrics of one job's runs in this process. */
export type JobCounts = { succeeded: number; failed: number; tookMs: number }

/** Job metrics of this process by job name. Its size is bounded by the number of jobs in the code. */
export const jobRuns = new Map<string, JobCounts>()

export function countRun(name: string, isOk: boolean, tookMs: number): void {
  const telemetry = jobRuns.get(name) ?? { succeeded: 0, failed: 0, tookMs: 0 }
  if (isOk) telemetry.succeeded++
  else telemetry.failed++
  telemetry.tookMs += tookMs
  jobRuns.set(name, telemetry)
}

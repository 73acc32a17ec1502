import { dropOldLog, keepLog } from '#server/metering/usage.ts'
import type { Job } from './job.ts'

/** Makes the log's partitions ahead of time and forgets idempotency keys after their ten minutes. */
const keepLogJob: Job = { name: 'log.keep', everyMs: 60_000, run: keepLog }

/** What is done for the log; days are dropped from it only where it is said for how long it is kept. */
export function logJobs(keptDays: number | null): Job[] {
  if (keptDays === null) return [keepLogJob]
  const run: Job['run'] = async (pool, signal) => void (await dropOldLog(pool, keptDays, signal))
  return [keepLogJob, { name: 'log.drop', everyMs: 60_000, run }]
}

import { dropOldLog, maintainLog } from '#server/metering/usage.ts'
import type { Job } from './runner.ts'

/** Creates the request log's partitions ahead of time and deletes idempotency keys after ten minutes. */
const keepLogJob: Job = { name: 'log.keep', everyMinutes: 10, run: maintainLog }

/** Returns the jobs that maintain the request log. Old partitions are dropped only if REQUEST_LOG_DAYS is set. */
export function logJobs(keptDays: number | null): Job[] {
  if (keptDays === null) return [keepLogJob]
  const run: Job['run'] = async (pool, signal) => void (await dropOldLog(pool, keptDays, signal))
  return [keepLogJob, { name: 'log.drop', everyMinutes: 10, run, maxSeconds: 3_600 }]
}

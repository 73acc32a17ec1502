import { addUpUsage } from '#server/metering/usage.ts'
import type { Job } from './job.ts'

/** Keeps the usage figures a second or two behind the log. */
export const addUpUsageJob: Job = { name: 'usage.add-up', everyMs: 1_000, run: addUpUsage }

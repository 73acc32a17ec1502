import { addUpUsage } from '#server/metering/usage.ts'
import type { Job } from './runner.ts'

/** Rolls up usage, a second or two behind the request log. */
export const addUpUsageJob: Job = { name: 'usage.add-up', everyMs: 1_000, run: addUpUsage }

import { keepLog } from '../metering/usage.ts'
import type { Job } from './job.ts'

/** Makes the log's partitions ahead of time and forgets idempotency keys after their ten minutes. */
export const keepLogJob: Job = { name: 'log.keep', everyMs: 60_000, run: keepLog }

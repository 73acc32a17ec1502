import { type JobStatus, readJobRuns, readJobStatus } from './job-runs.store.ts'

/** Run status of the scheduled jobs: `readJobRuns` for the admin pages, `readJobStatus` for monitoring. */
export { type JobStatus, readJobRuns, readJobStatus }

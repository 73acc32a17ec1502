import { type JobStatus, readJobRuns, readJobStatus } from './job-runs.store.ts'

/** Results of the scheduled jobs, for the admin pages. */
/** Timeliness of the scheduled jobs, for monitoring. */
export { type JobStatus, readJobRuns, readJobStatus }

import { type JobStanding, readJobRuns, readJobStanding } from './job-runs.store.ts'

/** Results of the scheduled jobs, for the admin pages. */
/** Timeliness of the scheduled jobs, for monitoring. */
export { type JobStanding, readJobRuns, readJobStanding }

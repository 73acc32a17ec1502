import { type JobStanding, readJobRuns, readJobStanding } from './job-runs.store.ts'

/** Results of the scheduled jobs, for the admin pages. */
/** Whether the scheduled jobs run on time, for monitoring. */
export { type JobStanding, readJobRuns, readJobStanding }

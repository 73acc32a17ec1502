import { type JobStanding, readJobRuns, readJobStanding } from './job-runs.store.ts'

/** What came of the standing jobs, for the desk. */
/** Whether the standing jobs keep up, for whoever watches the service. */
export { type JobStanding, readJobRuns, readJobStanding }

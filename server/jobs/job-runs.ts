import { readJobRuns } from './job-runs.store.ts'

/** What came of the standing jobs, for the desk. */
export { readJobRuns }

/** Status of a scheduled job. A job that runs for the lifetime of its process has started and never finishes. */
export type JobRun = {
  readonly name: string
  /** Start of the current run; null if no run is in progress. */
  readonly begunAt: Date | null
  readonly okAt: Date | null
  readonly tookMs: number | null
  readonly failedAt: Date | null
  /** Message of the last failure; null if there was none. */
  readonly fault: string | null
}

/** Estimated size of a table, including all its partitions. */
type TableSize = { readonly name: string; readonly rows: number; readonly bytes: number }

type DatabaseSize = { readonly bytes: number; readonly tables: readonly TableSize[] }

/** Operational data for the admin area. */
export type Operations = {
  readonly jobRuns: () => Promise<readonly JobRun[]>
  readonly databaseSize: () => Promise<DatabaseSize>
}

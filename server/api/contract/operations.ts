/** What came of a standing job. A job that runs as long as its process does has begun and not ended. */
export type JobRun = {
  readonly name: string
  /** When it last began in a process that has not finished it since. */
  readonly begunAt: Date | null
  readonly okAt: Date | null
  readonly tookMs: number | null
  readonly failedAt: Date | null
  /** What the last failure said. */
  readonly fault: string | null
}

/** How large a table is, as the database estimates it; one in parts is told as a whole. */
export type TableSize = { readonly name: string; readonly rows: number; readonly bytes: number }

export type DatabaseSize = { readonly bytes: number; readonly tables: readonly TableSize[] }

/** What the desk is told of the process that it runs in, beside the rooms. */
export type Operations = {
  readonly jobRuns: () => Promise<readonly JobRun[]>
  readonly databaseSize: () => Promise<DatabaseSize>
}

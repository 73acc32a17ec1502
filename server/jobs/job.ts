import type { Pool } from 'pg'

/** Work that is done again and again beside the calls. It must be harmless when several processes do it at once. */
export type Job = {
  readonly name: string
  readonly everyMs: number
  /**
   * The signal says that the process is stopping. A job that runs as long as its process calls `succeeded` whenever a part of its work has succeeded, so that
   * it does not count as late.
   */
  readonly run: (pool: Pool, signal: AbortSignal, succeeded?: () => void) => Promise<unknown>
}

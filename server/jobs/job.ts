import type { Pool } from 'pg'

/** Scheduled background work. It must be safe to run in several processes at once. */
export type Job = {
  readonly name: string
  readonly everyMs: number
  /**
   * `signal` aborts when the process stops. A job that runs as long as its process calls `succeeded` after each successful part, so that it doesn't count as
   * late.
   */
  readonly run: (pool: Pool, signal: AbortSignal, succeeded?: () => void) => Promise<unknown>
}

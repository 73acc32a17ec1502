import type { Pool } from 'pg'

/** Work that is done again and again beside the calls. It must be harmless when several processes do it at once. */
export type Job = {
  readonly name: string
  readonly everyMs: number
  /** The signal says that the process is stopping. */
  readonly run: (pool: Pool, signal: AbortSignal) => Promise<unknown>
}

import type { Pool } from 'pg'

/** Work that is done again and again beside the calls. It must be harmless when several processes do it at once. */
export type Job = {
  readonly name: string
  readonly everyMs: number
  readonly run: (pool: Pool) => Promise<unknown>
}

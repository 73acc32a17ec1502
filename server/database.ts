import type { Pool } from 'pg'
import { startEmbedded } from './db/embedded.ts'
import { openPool } from './db/pool.ts'
import type { Env } from './env.ts'
import type { Log } from './log.ts'

export type Database = {
  readonly url: string
  /** Whether it is the embedded server of the data folder. */
  readonly isEmbedded: boolean
  readonly pool: Pool
  close: () => Promise<void>
}

/** Opens the database of the environment: the one at DATABASE_URL, else the embedded server in the data folder, started when it is not running. */
export async function openDatabase(env: Env, log: Log, options: { applicationName: string; max: number; statementTimeoutMs: number }): Promise<Database> {
  const embedded = env.databaseUrl === null ? await startEmbedded({ dataDir: env.dataDir, log: (line) => log.info(line) }) : null
  const url = embedded?.url ?? env.databaseUrl ?? ''
  const pool = openPool({ url, ...options, onError: (error) => log.warn({ err: error }, 'A database connection was lost; the pool replaces it.') })
  return {
    url,
    isEmbedded: embedded !== null,
    pool,
    close: async () => {
      await pool.end()
      await embedded?.stop()
    },
  }
}

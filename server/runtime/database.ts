import { startEmbedded } from '#server/db/embedded.ts'
import { assertPooledSessions, openPool } from '#server/db/pool.ts'
import type { Env } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'

type Opening = {
  readonly applicationName: string
  readonly max: number
  readonly statementTimeoutMs: number
  /** True (the default) to create the embedded database if there is none; false to throw an error instead. */
  readonly mayMake?: boolean
}

/** Opens the configured database: the one at DATABASE_URL, otherwise the embedded server in the data folder, which is started if needed. */
export async function openDatabase(env: Env, log: Log, { mayMake = true, ...options }: Opening) {
  const embedded = env.databaseUrl === null ? await startEmbedded({ dataDir: env.dataDir, mayMake, log: (line) => log.info(line) }) : null
  const url = embedded?.url ?? env.databaseUrl ?? ''
  const { isPooled } = env
  const pool = openPool({ url, isPooled, ...options, onError: (error) => log.warn({ err: error }, 'A database connection was lost; the pool replaces it.') })
  if (isPooled) {
    await assertPooledSessions(pool).catch(async (error: unknown) => {
      await pool.end()
      throw error
    })
  }
  return {
    url,
    /** URL of the PostgreSQL server itself. Differs from `url` only if `url` points to a pooler. */
    directUrl: env.directUrl ?? url,
    /** URL of the PostgreSQL server for the role that owns the tables. Equals `directUrl` if there is no migration role. */
    migrationUrl: env.migrationUrl ?? env.directUrl ?? url,
    /** True for the embedded server in the data folder. */
    isEmbedded: embedded !== null,
    pool,
    close: async () => {
      await pool.end()
      await embedded?.stop()
    },
  }
}

export type ServiceDatabase = Awaited<ReturnType<typeof openDatabase>>

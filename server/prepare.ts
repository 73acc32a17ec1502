import type { Database } from './database.ts'
import { migrate } from './db/migrate.ts'
import { openPool } from './db/pool.ts'
import type { Env } from './env.ts'
import type { Log } from './log.ts'
import { seedMarket } from './market/seed.ts'
import { seedStatistics } from './market/statistics/seed-statistics.ts'
import { takeInMovedLog } from './metering/moved-log.ts'
import { keepLog } from './metering/usage.ts'

/** A start may wait for what no page or call would: on a busy machine with a large market a statement of it takes its time. */
const statementTimeoutMs = 600_000

/** Brings the database to where a service can run on it. `isRenewed`: the demonstration account was given a new password and keys. */
export async function prepare(env: Env, log: Log, database: Database): Promise<{ isRenewed: boolean }> {
  const url = database.directUrl
  const { applied } = await migrate(url, { log: (line) => log.info(line) })
  if (applied.length > 0) log.info({ applied }, 'The database was migrated.')
  const onError = (error: Error) => log.warn({ err: error }, 'A database connection was lost; the pool replaces it.')
  const pool = openPool({ url, isPooled: false, max: 2, applicationName: 'svc-start', statementTimeoutMs, onError })
  try {
    await takeInMovedLog(pool, log)
    await keepLog(pool)
    const seeded = await seedStatistics(pool)
    if (seeded.length > 0) log.info({ files: seeded }, 'The statistics that come with this release were taken in.')
    // A production database waits for its own market; test keys have their sample everywhere.
    await seedMarket(pool, { log, withDemonstration: database.isEmbedded || !env.isProduction })
    return database.isEmbedded ? await (await import('./demo.ts')).seedDemonstration(pool, env) : { isRenewed: false }
  } finally {
    await pool.end()
  }
}

import type { Database } from './database.ts'
import { migrate } from './db/migrate.ts'
import type { Env } from './env.ts'
import type { Log } from './log.ts'
import { seedMarket } from './market/seed.ts'
import { seedStatistics } from './market/statistics/seed-statistics.ts'
import { keepLog } from './metering/usage.ts'

/** Brings the database to where a service can run on it. `isRenewed`: the demonstration account was given a new password and keys. */
export async function prepare(env: Env, log: Log, database: Database): Promise<{ isRenewed: boolean }> {
  const { applied } = await migrate(database.directUrl, { log: (line) => log.info(line) })
  if (applied.length > 0) log.info({ applied }, 'The database was migrated.')
  await keepLog(database.pool)
  const seeded = await seedStatistics(database.pool)
  if (seeded.length > 0) log.info({ files: seeded }, 'The statistics that come with this release were taken in.')
  // A production database waits for its own market; test keys have their sample everywhere.
  await seedMarket(database.pool, { log, withDemonstration: database.isEmbedded || !env.isProduction })
  return database.isEmbedded ? (await import('./demo.ts')).seedDemonstration(database.pool, env) : { isRenewed: false }
}

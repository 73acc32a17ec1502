import { markProductionDatabase, refuseProductionDatabase, refuseSimulatedPurchases } from '#server/billing/production-guard.ts'
import { openPool } from '#server/db/pool.ts'
import type { Database } from '#server/db/prisma.ts'
import { migrateForRuntime } from '#server/db/runtime-role.sql.ts'
import type { Env } from '#server/env.ts'
import { moveSample } from '#server/market/sample-week/move-sample.ts'
import { seedMarket } from '#server/market/seed.ts'
import { seedStatistics } from '#server/market/statistics/seed-statistics.ts'
import { maintainLog, renumberMovedLog } from '#server/metering/usage.ts'
import type { Log } from '#server/observability/log.ts'
import type { ServiceDatabase } from './database.ts'
import type { Demonstration } from './demo-account.ts'

/** Statement timeout at start-up. It is far longer than for pages and calls, because a statement can take minutes with a large market on a busy machine. */
const statementTimeoutMs = 600_000

/** Creates the demonstration account in development. In production, closes it, and refuses to start if there are credits from simulated payments. */
async function prepareAccounts(env: Env, log: Log, database: ServiceDatabase, pool: Database): Promise<Demonstration | null> {
  if (!env.developmentFeatures) {
    await refuseSimulatedPurchases(pool)
    await markProductionDatabase(pool)
    await (await import('./close-demonstration.ts')).closeDemonstration(pool, env, log)
    return null
  }
  return database.isEmbedded ? (await import('./demo-account.ts')).seedDemonstration(pool, env) : null
}

/** Prepares the database for the service. Returns the demonstration account, if this service has one. */
export async function prepare(env: Env, log: Log, database: ServiceDatabase): Promise<{ demonstration: Demonstration | null }> {
  const onError = (error: Error) => log.warn({ err: error }, 'A database connection was lost; the pool replaces it.')
  const openStartPool = (url: string) => openPool({ url, isPooled: false, max: 2, applicationName: 'svc-start', statementTimeoutMs, onError })
  const owner = openStartPool(database.migrationUrl)
  try {
    // Runs before the migrations, so that a rejected start leaves the database unchanged.
    if (env.developmentFeatures) await refuseProductionDatabase(owner)
    const { applied } = await migrateForRuntime(database.migrationUrl, database.pool, (line) => log.info(line))
    if (applied.length > 0) log.info({ applied }, 'Migrated the database.')
    // Renumbering disables a trigger, which only the owner of the table can do.
    await renumberMovedLog(owner, log)
  } finally {
    await owner.end()
  }
  const pool = openStartPool(database.directUrl)
  try {
    await maintainLog(pool)
    const seeded = await seedStatistics(pool)
    if (seeded.length > 0) log.info({ files: seeded }, 'Imported the statistics included in this release.')
    // A production database gets its market from imports; test keys use the sample market everywhere.
    await seedMarket(pool, { log, withDemonstration: database.isEmbedded || env.developmentFeatures })
    // The job repeats it, so a long import by another process doesn't keep this one from starting.
    await moveSample(pool, { log }).catch((error: unknown) => log.warn({ err: error }, 'Failed to update the sample market for today. The job will retry.'))
    return { demonstration: await prepareAccounts(env, log, database, pool) }
  } finally {
    await pool.end()
  }
}

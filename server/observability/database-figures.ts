import { setTimeout as sleep } from 'node:timers/promises'
import { getLedgerChecks } from '#server/billing/billing-checks.ts'
import { databaseSize } from '#server/db/database-probes.sql.ts'
import { pendingMigrations } from '#server/db/migrate.ts'
import type { Database } from '#server/db/prisma.ts'
import { readEmailQueue, readJobStatus } from '#server/db/queues.sql.ts'
import { queueDepth } from '#server/webhooks/queue.sql.ts'
import type { Log } from './log.ts'

async function readFigures(pool: Database) {
  const [webhooks, mails, checks, jobs, pending, { bytes }] = await Promise.all([
    queueDepth(pool),
    readEmailQueue(pool),
    getLedgerChecks(pool),
    readJobStatus(pool),
    pendingMigrations(pool),
    databaseSize(pool),
  ])
  return { webhooks, mails, checks, jobs, pendingMigrations: pending.length, bytes }
}

/** Figures read from the database, and therefore identical in all processes. */
export type DatabaseFigures = Awaited<ReturnType<typeof readFigures>>

/** Lifetime of the cached figures. */
const keptForMs = 4_000
/** Maximum time that a scrape waits for these figures: a stalled database must not delay the process's own figures. */
const answerTimeoutMs = 1_000

/** Returns the figures, or null if the database did not answer in time. */
export type ReadFigures = () => Promise<DatabaseFigures | null>

/**
 * Returns a function that reads the figures over a separate connection pool. Statements in that pool should time out after about `answerTimeoutMs`. Concurrent
 * scrapes share one read, and each scrape waits only for a limited time. The caller closes the pool.
 */
export function figuresReader(pool: Database, log: Log): ReadFigures {
  let reading: Promise<DatabaseFigures | null> | null = null
  let last: { readonly figures: DatabaseFigures; readonly at: number } | null = null

  const ask = async () => {
    const figures = await readFigures(pool).catch((error: unknown) => {
      log.info({ err: error }, 'Failed to read the figures for /metrics from the database.')
      return null
    })
    // A failed read is not cached, so the next scrape tries again.
    last = figures === null ? null : { figures, at: performance.now() }
    return figures
  }
  return async () => {
    if (last !== null && performance.now() - last.at < keptForMs) return last.figures
    reading ??= ask().finally(() => {
      reading = null
    })
    return Promise.race([reading, sleep(answerTimeoutMs, null, { ref: false })])
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { getLedgerChecks, type LedgerCheck } from '#server/billing/billing-checks.ts'
import { databaseSize } from '#server/db/database-probes.sql.ts'
import { pendingMigrations } from '#server/db/migrate.ts'
import type { Database } from '#server/db/prisma.ts'
import { type EmailQueue, type JobStatus, readEmailQueue, readJobStatus } from '#server/db/queues.sql.ts'
import { type QueueDepth, queueDepth } from '#server/webhooks/queue.sql.ts'
import type { Log } from './log.ts'

/** Figures read from the database, and therefore identical in all processes. */
export type DatabaseFigures = {
  readonly webhooks: QueueDepth
  readonly mails: EmailQueue
  readonly checks: readonly LedgerCheck[]
  readonly jobs: readonly JobStatus[]
  readonly pendingMigrations: number
  readonly bytes: number
}

/** Lifetime of the cached figures. */
const keptForMs = 4_000
/** Maximum time that a scrape waits for these figures: a stalled database must not delay the process's own figures. */
const answerTimeoutMs = 1_000

/** Reads the figures over a separate connection pool. Concurrent scrapes share one read, and each waits for it only for a limited time. */
export class DatabaseFiguresReader {
  private readonly pool: Database
  private readonly log: Log
  private reading: Promise<DatabaseFigures | null> | null = null
  private last: { readonly figures: DatabaseFigures; readonly at: number } | null = null

  /** The caller closes the pool. Its statements should time out after about `answerTimeoutMs`. */
  constructor(pool: Database, log: Log) {
    this.pool = pool
    this.log = log
  }

  /** Returns the figures, or null if the database did not answer in time. */
  async read(): Promise<DatabaseFigures | null> {
    if (this.last !== null && performance.now() - this.last.at < keptForMs) return this.last.figures
    this.reading ??= this.ask().finally(() => {
      this.reading = null
    })
    return Promise.race([this.reading, sleep(answerTimeoutMs, null, { ref: false })])
  }

  private async ask(): Promise<DatabaseFigures | null> {
    const figures = await this.askAll().catch((error: unknown) => {
      this.log.info({ err: error }, 'Failed to read the figures for /metrics from the database.')
      return null
    })
    // A failed read is not cached, so the next scrape tries again.
    this.last = figures === null ? null : { figures, at: performance.now() }
    return figures
  }

  private async askAll(): Promise<DatabaseFigures> {
    const { pool } = this
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
}

import type { Pool } from 'pg'
import { getLedgerChecks, type LedgerCheck } from '#server/billing/ledger-checks.ts'
import { databaseSize } from '#server/db/database-size.ts'
import { pendingMigrations } from '#server/db/migrate.ts'
import { type MailQueue, mailQueue } from '#server/email/mail-queue.ts'
import { type JobStanding, readJobStanding } from '#server/jobs/job-runs.ts'
import { type QueueDepth, queueDepth } from '#server/webhooks/queue-depth.ts'
import type { Log } from './log.ts'

/** What only the database knows: the same for every process. */
export type DatabaseFigures = {
  readonly webhooks: QueueDepth
  readonly mails: MailQueue
  readonly checks: readonly LedgerCheck[]
  readonly jobs: readonly JobStanding[]
  readonly pendingMigrations: number
  readonly bytes: number
}

/** Scrapes closer together than this are told the same. */
const keptForMs = 4_000
/** A scrape waits no longer: the figures of the process must not wait for a database that has stalled. */
const answerWithinMs = 1_000

/** Reads the figures for whoever scrapes: on a connection of its own, one reading at a time, and never for long. */
export class DatabaseFiguresReader {
  private readonly pool: Pool
  private readonly log: Log
  private reading: Promise<DatabaseFigures | null> | null = null
  private last: { readonly figures: DatabaseFigures; readonly at: number } | null = null

  /** The pool is the caller's; its statements should have a limit near that of a scrape. */
  constructor(pool: Pool, log: Log) {
    this.pool = pool
    this.log = log
  }

  /** Null: the database did not answer in time. */
  async read(): Promise<DatabaseFigures | null> {
    if (this.last !== null && performance.now() - this.last.at < keptForMs) return this.last.figures
    this.reading ??= this.ask().finally(() => {
      this.reading = null
    })
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), answerWithinMs)
    })
    const figures = await Promise.race([this.reading, silence])
    clearTimeout(timer)
    return figures
  }

  private async ask(): Promise<DatabaseFigures | null> {
    const figures = await this.askAll().catch((error: unknown) => {
      this.log.info({ err: error }, 'The figures for /metrics could not be read from the database.')
      return null
    })
    // What was not there is looked for again by the next scrape.
    this.last = figures === null ? null : { figures, at: performance.now() }
    return figures
  }

  private async askAll(): Promise<DatabaseFigures> {
    const { pool } = this
    const [webhooks, mails, checks, jobs, pending, { bytes }] = await Promise.all([
      queueDepth(pool),
      mailQueue(pool),
      getLedgerChecks(pool),
      readJobStanding(pool),
      pendingMigrations(pool),
      databaseSize(pool),
    ])
    return { webhooks, mails, checks, jobs, pendingMigrations: pending.length, bytes }
  }
}

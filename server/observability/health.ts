import { clock } from '#server/clock.ts'
import { databaseTimeMs } from '#server/db/database-probes.sql.ts'
import type { Database } from '#server/db/prisma.ts'
import type { Log } from './log.ts'

/** Readiness by component; `ok` is true if all of them are ready. */
export type Readiness = {
  readonly ok: boolean
  readonly database: boolean
  /** True if the database accepts writes; null if it does not respond. */
  readonly writable: boolean | null
  /** True if no migration is pending; null if the database does not respond. */
  readonly migrated: boolean | null
  readonly market: boolean
}

/** Handlers of the two health endpoints. */
export type Health<Body extends object = Readiness> = {
  /** Returns the liveness response: the process is running. */
  live: () => { status: number; body: object }
  /** Returns the readiness response: database reachable and writable, migrations applied, market loaded. */
  ready: () => Promise<{ status: number; body: Body }>
}

const everyMs = 60_000
/**
 * Maximum clock difference, in seconds, that causes no warning. With a larger difference, expiry dates, Stripe signature checks, and the dates used by jobs and
 * logs are noticeably wrong.
 */
const toleratedSeconds = 60

/** Compares the clock of this process with the database's clock once a minute. */
export class ClockCheck {
  readonly #pool: Database
  readonly #log: Log
  readonly #timer: NodeJS.Timeout
  /** Seconds by which this process's clock is ahead of the database's; null if they have not been compared yet. */
  skewSeconds: number | null = null

  constructor(pool: Database, log: Log) {
    this.#pool = pool
    this.#log = log
    this.#timer = setInterval(() => void this.check(), everyMs)
    this.#timer.unref()
  }

  /** Measures the skew, and warns if the clocks differ by more than a minute. Keeps the last measurement if the database does not answer. */
  async check(): Promise<void> {
    try {
      const askedAt = clock.now()
      const databaseMs = await databaseTimeMs(this.#pool)
      this.skewSeconds = ((askedAt + clock.now()) / 2 - databaseMs) / 1_000
    } catch (error) {
      this.#log.info({ err: error }, "Failed to read the database's clock.")
      return
    }
    if (Math.abs(this.skewSeconds) <= toleratedSeconds) return
    const skewSeconds = Math.round(this.skewSeconds)
    this.#log.warn({ skewSeconds }, 'The clocks of this process and the database differ by more than a minute. Synchronise both machines (NTP).')
  }

  close(): void {
    clearInterval(this.#timer)
  }
}

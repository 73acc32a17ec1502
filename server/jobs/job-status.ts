import type { Pool } from 'pg'
import { clock } from '#server/clock.ts'
import type { Log } from '#server/observability/log.ts'
import type { Job } from './job.ts'
import { noteBegun, noteDone, noteFailed, noteSucceeded } from './job-runs.store.ts'

/** Minimum interval between writes while the outcome doesn't change, so that frequent jobs don't cause more writes than they make. */
const everyMs = 30_000
const maxErrorLength = 500

/** Records the status of a job for the admin pages. Never fails the job: write failures are logged. */
export class JobStatusRecorder {
  readonly #pool: Pool
  readonly #log: Log
  readonly #name: string
  readonly #everyMs: number
  #notedAt = 0
  #wasFailing = false

  constructor(pool: Pool, log: Log, { name, everyMs }: Pick<Job, 'name' | 'everyMs'>) {
    this.#pool = pool
    this.#log = log
    this.#name = name
    this.#everyMs = everyMs
  }

  /** Records the first run, and the first run after a failure: a job that runs as long as its process never reports completion. */
  async begun(): Promise<void> {
    const isDue = this.#notedAt === 0 || (this.#wasFailing && this.#isLongAgo())
    if (isDue) await this.#write(noteBegun(this.#pool, this.#name, this.#everyMs))
  }

  async done(tookMs: number): Promise<void> {
    if (!this.#isTime(false)) return
    await this.#write(noteDone(this.#pool, this.#name, tookMs))
  }

  /** Records a success of a job that is still running. */
  async succeeded(): Promise<void> {
    if (!this.#isTime(false)) return
    await this.#write(noteSucceeded(this.#pool, this.#name))
  }

  async failed(error: unknown): Promise<void> {
    if (!this.#isTime(true)) return
    await this.#write(noteFailed(this.#pool, this.#name, (error instanceof Error ? error.message : String(error)).slice(0, maxErrorLength)))
  }

  /** Returns true if the outcome changed or the last write is old enough. */
  #isTime(isFailing: boolean): boolean {
    if (isFailing === this.#wasFailing && !this.#isLongAgo()) return false
    this.#wasFailing = isFailing
    this.#notedAt = clock.now()
    return true
  }

  /** Absolute difference: otherwise, after the clock is set back, nothing is recorded until it catches up. */
  #isLongAgo(): boolean {
    return Math.abs(clock.now() - this.#notedAt) >= everyMs
  }

  async #write(writing: Promise<void>): Promise<void> {
    await writing.catch((error: unknown) => this.#log.warn({ err: error, job: this.#name }, 'Failed to record job status.'))
  }
}

import type { Pool } from 'pg'
import { clock } from '#server/clock.ts'
import type { Log } from '#server/observability/log.ts'
import type { Job } from './job.ts'
import { noteBegun, noteDone, noteFailed, noteSucceeded } from './job-runs.store.ts'

/** Jobs of a second would write more than they do: what went on as before is put down this seldom. */
const everyMs = 30_000
const longestFault = 500

/** Puts down how a job goes, for the desk. It never fails a job: what cannot be written is in the log. */
export class JobNotes {
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

  /** Told of the first turn, and of one behind a failure: a job that runs as long as its process does never says that it is done. */
  async begun(): Promise<void> {
    const isNews = this.#notedAt === 0 || (this.#wasFailing && this.#isLongAgo())
    if (isNews) await this.#write(noteBegun(this.#pool, this.#name, this.#everyMs))
  }

  async done(tookMs: number): Promise<void> {
    if (!this.#isTime(false)) return
    await this.#write(noteDone(this.#pool, this.#name, tookMs))
  }

  /** Records a success of a job that goes on running. */
  async succeeded(): Promise<void> {
    if (!this.#isTime(false)) return
    await this.#write(noteSucceeded(this.#pool, this.#name))
  }

  async failed(error: unknown): Promise<void> {
    if (!this.#isTime(true)) return
    await this.#write(noteFailed(this.#pool, this.#name, (error instanceof Error ? error.message : String(error)).slice(0, longestFault)))
  }

  /** Whether something is to be put down: it is something else than before, or long enough ago. */
  #isTime(isFailing: boolean): boolean {
    if (isFailing === this.#wasFailing && !this.#isLongAgo()) return false
    this.#wasFailing = isFailing
    this.#notedAt = clock.now()
    return true
  }

  /** Either way: after the clock was set back, nothing would be put down until it is where it was. */
  #isLongAgo(): boolean {
    return Math.abs(clock.now() - this.#notedAt) >= everyMs
  }

  async #write(writing: Promise<void>): Promise<void> {
    await writing.catch((error: unknown) => this.#log.warn({ err: error, job: this.#name }, 'How a job went could not be put down.'))
  }
}

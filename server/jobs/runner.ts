import { setTimeout } from 'node:timers/promises'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'
import type { Log } from '#server/observability/log.ts'
import { countRun } from '#server/observability/telemetry/counters.ts'
import { tracing } from '#server/observability/telemetry/tracer.ts'
import { noteBegun, noteDone, noteFailed, noteSucceeded } from './job-runs.store.ts'

/** Scheduled background work. It must be safe to run in several processes at once. */
export type Job = {
  readonly name: string
  readonly everyMs: number
  /**
   * `signal` aborts when the process stops. A job that runs as long as its process calls `succeeded` after each successful part, so that it doesn't count as
   * late.
   */
  readonly run: (pool: Database, signal: AbortSignal, succeeded?: () => void) => Promise<unknown>
}

/** Minimum interval between writes while the outcome doesn't change, so that frequent jobs don't write their status more often than they write data. */
const writeIntervalMs = 30_000
const maxErrorLength = 500

/** Records the status of a job for the admin pages. Never fails the job: write failures are logged. */
export class JobStatusRecorder {
  readonly #pool: Database
  readonly #log: Log
  readonly #name: string
  readonly #everyMs: number
  #notedAt = 0
  #wasFailing = false

  constructor(pool: Database, log: Log, { name, everyMs }: Pick<Job, 'name' | 'everyMs'>) {
    this.#pool = pool
    this.#log = log
    this.#name = name
    this.#everyMs = everyMs
  }

  /** Records the start of the first run, and of a run after a failure, because a job that runs as long as its process never reports an end. */
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

  /** Uses the absolute difference: otherwise, if the clock is set back, nothing would be recorded until it has caught up. */
  #isLongAgo(): boolean {
    return Math.abs(clock.now() - this.#notedAt) >= writeIntervalMs
  }

  async #write(writing: Promise<void>): Promise<void> {
    await writing.catch((error: unknown) => this.#log.warn({ err: error, job: this.#name }, 'Failed to record job status.'))
  }
}

/** Minimum duration of a traced run. Shorter runs found nothing to do, and there are 20 of them a second. */
const minTracedMs = 5

function recordRun({ name }: Job, begun: number, error: unknown): void {
  const ended = performance.now()
  countRun(name, error === null, ended - begun)
  if (error === null && ended - begun < minTracedMs) return
  const fault = error === null ? null : error instanceof Error ? error.name : 'unknown'
  tracing.tracer?.work({ name: `job ${name}`, isOutgoing: false, begun, ended, facts: { 'svc.job': name }, fault })
}

/** Runs jobs until stopped. Runs of one job never overlap. A failed run is logged and the job runs again after its interval. */
export class JobRunner {
  private readonly pool: Database
  private readonly log: Log
  private readonly stopping = new AbortController()
  private readonly loops: Promise<void>[]

  constructor(jobs: readonly Job[], pool: Database, log: Log) {
    this.pool = pool
    this.log = log
    this.loops = jobs.map((job) => this.loop(job))
  }

  private async loop(job: Job): Promise<void> {
    const notes = new JobStatusRecorder(this.pool, this.log, job)
    while (!this.stopping.signal.aborted) {
      await notes.begun()
      const begun = performance.now()
      try {
        await job.run(this.pool, this.stopping.signal, () => void notes.succeeded())
        recordRun(job, begun, null)
        await notes.done(Math.round(performance.now() - begun))
      } catch (error) {
        recordRun(job, begun, error)
        this.log.error({ err: error, job: job.name }, 'Job failed. It will run again after its interval.')
        await notes.failed(error)
      }
      await this.pause(job.everyMs)
    }
  }

  private async pause(ms: number): Promise<void> {
    const { signal } = this.stopping
    await setTimeout(ms, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }

  /** Aborts the jobs and waits for the current runs to end. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await Promise.all(this.loops)
  }
}

import { setTimeout } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Log } from '#server/observability/log.ts'
import { tracing } from '#server/observability/telemetry/tracer.ts'
import { countRun } from '#server/observability/telemetry/work.ts'
import type { Job } from './job.ts'
import { JobNotes } from './job-notes.ts'

/** A turn that found nothing to do is over sooner than this; there are twenty of them a second, and no trace needs them. */
const leastTracedMs = 5

function takeDown({ name }: Job, begun: number, error: unknown): void {
  const ended = performance.now()
  countRun(name, error === null, ended - begun)
  if (error === null && ended - begun < leastTracedMs) return
  const fault = error === null ? null : error instanceof Error ? error.name : 'unknown'
  tracing.tracer?.work({ name: `job ${name}`, isOutgoing: false, begun, ended, facts: { 'svc.job': name }, fault })
}

/** Runs jobs until it is stopped: each waits for its own last run, and a failed run is reported and tried again at the next turn. */
export class JobRunner {
  private readonly pool: Pool
  private readonly log: Log
  private readonly stopping = new AbortController()
  private readonly loops: Promise<void>[]

  constructor(jobs: readonly Job[], pool: Pool, log: Log) {
    this.pool = pool
    this.log = log
    this.loops = jobs.map((job) => this.loop(job))
  }

  private async loop(job: Job): Promise<void> {
    const notes = new JobNotes(this.pool, this.log, job)
    while (!this.stopping.signal.aborted) {
      await notes.begun()
      const begun = performance.now()
      try {
        await job.run(this.pool, this.stopping.signal, () => void notes.succeeded())
        takeDown(job, begun, null)
        await notes.done(Math.round(performance.now() - begun))
      } catch (error) {
        takeDown(job, begun, error)
        this.log.error({ err: error, job: job.name }, 'A job failed; it runs again at its next turn.')
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

  /** Waits for what is under way. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await Promise.all(this.loops)
  }
}

import { setTimeout } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Log } from '#server/observability/log.ts'
import { tracing } from '#server/observability/telemetry/tracer.ts'
import { countRun } from '#server/observability/telemetry/work.ts'
import type { Job } from './job.ts'
import { JobStatusRecorder } from './job-status.ts'

/** Shorter runs are not traced: they found nothing to do, and there are 20 of them a second. */
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

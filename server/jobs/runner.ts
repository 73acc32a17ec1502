import { setTimeout } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Log } from '../log.ts'
import type { Job } from './job.ts'
import { JobNotes } from './job-notes.ts'

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
    const notes = new JobNotes(this.pool, this.log, job.name)
    while (!this.stopping.signal.aborted) {
      await notes.begun()
      const begun = performance.now()
      try {
        await job.run(this.pool, this.stopping.signal)
        await notes.done(Math.round(performance.now() - begun))
      } catch (error) {
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

import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { type JobResult, PgBoss, type QueueOptions } from 'pg-boss'
import type { Database } from '#server/db/prisma.ts'
import { connectJobs, listenForJobs, readReadyQueues, sendJobs } from '#server/db/queues.sql.ts'
import type { Log } from '#server/observability/log.ts'
import { countRun } from '#server/observability/telemetry/counters.ts'
import { tracing } from '#server/observability/telemetry/tracer.ts'

/** Scheduled background work, with a queue and a schedule of the same name. It must be safe to run in several processes at once. */
export type Job = {
  readonly name: string
  /**
   * Interval of the schedule in minutes; must divide 60. A transaction that adds work sends the job as well, usually through a trigger on the table that the
   * work is stored in.
   */
  readonly everyMinutes: number
  /** Time after which a run counts as failed and is repeated. Default: 15 minutes. */
  readonly maxSeconds?: number
  /** `signal` aborts when the process stops. */
  readonly run: (pool: Database, signal: AbortSignal) => Promise<unknown>
  /** Returns the time of the next run if work is due before the next scheduled run; otherwise null. Called after each run. */
  readonly nextAt?: (pool: Database) => Promise<Date | null>
}

type Retries = Required<Pick<QueueOptions, 'retryLimit' | 'retryDelay' | 'retryBackoff' | 'retryDelayMax'>>

/** Result of a queued item. `retry`: pg-boss repeats it. `failed`: it goes to the dead-letter queue. */
type ItemResult = { readonly outcome: 'done' | 'retry' | 'failed'; readonly fault: string | null }

/** Queue of items. Each item is a job whose data contains the item's `id`. Like other jobs, the queue has a schedule, which calls `run`. */
export type QueueJob = Job & {
  /** Number of items that a process handles concurrently. */
  readonly concurrency: number
  readonly retries: Retries
  readonly deadLetter: string
  readonly handle: (id: number) => Promise<ItemResult>
}

const defaultMaxSeconds = 900
/** Failed runs are repeated after about 1, 2, 4 … 30 seconds; after the last attempt, the schedule starts the next run. */
const jobRetries: Retries = { retryLimit: 6, retryDelay: 1, retryBackoff: true, retryDelayMax: 30 }
const keptSeconds = 7_200

const isQueue = (job: Job | QueueJob): job is QueueJob => 'handle' in job

const getOptions = (job: Job | QueueJob): QueueOptions & { deadLetter?: string } => ({
  ...(isQueue(job) ? { ...job.retries, deadLetter: job.deadLetter } : jobRetries),
  expireInSeconds: job.maxSeconds ?? defaultMaxSeconds,
  deleteAfterSeconds: keptSeconds,
})

/** Returns the cron schedule of the nth job. Jobs start in different minutes, so that they don't all run at once. */
const getCron = ({ everyMinutes }: Job, n: number): string => `${n % everyMinutes}-59/${everyMinutes} * * * *`

/** Minimum and maximum interval between reads of the ready queues. A notification that jobs were sent ends the wait. */
const readAtMostEveryMs = 50
const readEveryMs = 2_000
/** pg-boss's own polling interval per queue, as a fallback. Queues with jobs are fetched as soon as they are ready. */
const fallbackPollSeconds = 3_600
/** Maximum number of waiting jobs of a queue that a single run completes. */
const batchSize = 1_000
/** Maximum number of jobs started at once: after start-up, all queues are ready, and each job needs connections from the pool. */
const maxStarted = 4
const stopTimeoutMs = 30_000

/** Intervals of pg-boss's background tasks. As long as possible, because each run costs a statement. */
const intervals = {
  superviseIntervalSeconds: 120,
  monitorIntervalSeconds: 120,
  maintenanceIntervalSeconds: 6 * 3_600,
  queueCacheIntervalSeconds: 600,
  cronWorkerIntervalSeconds: 45,
  cronMonitorIntervalSeconds: 45,
  flowIntervalSeconds: 3_600,
} as const

/** Creates pg-boss on the service's connection pool. Migrations create its tables, and it holds no session state, so it works behind a pooler. */
const createBoss = (pool: Database) =>
  new PgBoss({
    db: connectJobs(pool),
    migrate: false,
    createSchema: false,
    registerInstance: false,
    reindex: false,
    monitorVacuum: false,
    ...intervals,
  })

/** Minimum duration of a traced run. Shorter runs are assumed to have found nothing to do. */
const minTracedMs = 5

function recordRun({ name }: Job, begun: number, error: unknown): void {
  const ended = performance.now()
  countRun(name, error === null, ended - begun)
  if (error === null && ended - begun < minTracedMs) return
  const fault = error === null ? null : error instanceof Error ? error.name : 'unknown'
  tracing.tracer?.work({ name: `job ${name}`, isOutgoing: false, begun, ended, facts: { 'svc.job': name }, fault })
}

type Item = { readonly id: string; readonly data: { readonly id?: number } | null }

const done: ItemResult = { outcome: 'done', fault: null }
const statuses = { done: 'completed', retry: 'failed', failed: 'deadletter' } as const

/** Runs jobs with pg-boss until stopped. Runs of one job don't overlap in a process. */
export class JobRunner {
  readonly #pool: Database
  readonly #log: Log
  readonly #boss: PgBoss
  readonly #stopping = new AbortController()
  readonly #isPooled: boolean
  #wake = new AbortController()
  #listener: Client | undefined
  #reading: Promise<void> | undefined
  #isFailing = false

  private constructor(pool: Database, log: Log, isPooled: boolean) {
    this.#pool = pool
    this.#log = log
    this.#isPooled = isPooled
    this.#boss = createBoss(pool)
    this.#boss.on('error', (error) => this.#noteError(error))
    this.#boss.on('warning', ({ message, data }) => log.warn({ data }, message))
  }

  /**
   * Starts pg-boss, creates the queues and schedules of the jobs, and runs each job once. Jobs start as soon as they are sent, or up to two seconds later if
   * the pool connects to a transaction-mode pooler (`isPooled`).
   */
  static async start(jobs: readonly (Job | QueueJob)[], pool: Database, log: Log, isPooled = false): Promise<JobRunner> {
    const runner = new JobRunner(pool, log, isPooled)
    await runner.#boss.start({ attempts: 3 })
    const known = new Set((await runner.#boss.getQueues()).map(({ name }) => name))
    for (const name of new Set(jobs.filter(isQueue).map(({ deadLetter }) => deadLetter))) if (!known.has(name)) await runner.#boss.createQueue(name)
    for (const [n, job] of jobs.entries()) await runner.#register(job, n, known.has(job.name))
    await sendJobs(
      pool,
      jobs.map(({ name }) => name),
    )
    runner.#reading = runner.#read()
    return runner
  }

  async #register(job: Job | QueueJob, n: number, isKnown: boolean): Promise<void> {
    const { name, everyMinutes } = job
    await (isKnown ? this.#boss.updateQueue(name, getOptions(job)) : this.#boss.createQueue(name, getOptions(job)))
    await this.#boss.schedule(name, getCron(job, n), { everySeconds: everyMinutes * 60 })
    const pollingIntervalSeconds = fallbackPollSeconds
    if (!isQueue(job)) await this.#boss.work(name, { batchSize, pollingIntervalSeconds }, () => this.#run(job))
    else {
      const options = { batchSize: job.concurrency, burstWhenBatchFull: true, perJobResults: true, pollingIntervalSeconds } as const
      await this.#boss.work<{ id?: number } | null, unknown, typeof options>(name, options, (items) => this.#handleItems(job, items))
    }
  }

  /** Handles items concurrently. pg-boss records the result of each. */
  async #handleItems(job: QueueJob, items: readonly Item[]): Promise<JobResult[]> {
    const handle = async ({ id: jobId, data }: Item): Promise<JobResult> => {
      const id = data?.id
      const { outcome, fault } = id === undefined ? await this.#run(job).then(() => done) : await this.#record(job, () => job.handle(id))
      return { id: jobId, status: statuses[outcome], output: { message: fault } }
    }
    const settled = await Promise.allSettled(items.map(handle))
    return settled.map((result, place) =>
      result.status === 'fulfilled' ? result.value : { id: items[place]?.id ?? '', status: 'failed', output: { message: String(result.reason) } },
    )
  }

  /** Runs a job once, however many of its pg-boss jobs are waiting. */
  #run(job: Job): Promise<void> {
    return this.#record(job, async () => {
      await job.run(this.#pool, this.#stopping.signal)
      const startAfter = (await job.nextAt?.(this.#pool)) ?? null
      if (startAfter !== null) await this.#boss.upsert(job.name, {}, { singletonKey: 'next', startAfter })
    })
  }

  /** Records a run in metrics, traces and the log. */
  async #record<Result>(job: Job, work: () => Promise<Result>): Promise<Result> {
    const begun = performance.now()
    try {
      const result = await work()
      recordRun(job, begun, null)
      return result
    } catch (error) {
      recordRun(job, begun, error)
      this.#log.error({ err: error, job: job.name }, 'Job failed. It will be retried.')
      throw error
    } finally {
      // The run may have sent other jobs.
      this.#wake.abort()
    }
  }

  /**
   * Makes pg-boss fetch from every queue that has jobs, including its internal queues. Repeats this until stopped: when jobs are sent, after each run, and at
   * least every two seconds.
   */
  async #read(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#wake = new AbortController()
      try {
        const ready = new Set(await readReadyQueues(this.#pool))
        const idle = this.#boss.getWipData({ includeInternal: true }).filter(({ name, count }) => count === 0 && ready.has(name))
        for (const { id } of idle.slice(0, maxStarted)) this.#boss.notifyWorker(id)
        await this.#listen()
        this.#isFailing = false
      } catch (error) {
        this.#noteError(error instanceof Error ? error : new Error(String(error)))
      }
      await this.#sleep(readAtMostEveryMs, this.#stopping.signal)
      await this.#sleep(readEveryMs, AbortSignal.any([this.#wake.signal, this.#stopping.signal]))
    }
  }

  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    await sleep(ms, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }

  /**
   * Starts listening for jobs, initially and after each lost connection. Notifications sent while the connection is down are missed, so the queues are also
   * read at a fixed interval.
   */
  async #listen(): Promise<void> {
    if (this.#isPooled || this.#listener !== undefined || this.#stopping.signal.aborted) return
    const wake = () => this.#wake.abort()
    this.#listener = await listenForJobs(this.#pool, wake, () => {
      this.#listener = undefined
    })
    wake()
  }

  /** Logs only the first error of an outage: while the database doesn't respond, every statement fails. */
  #noteError({ message }: Error): void {
    if (!this.#isFailing) this.#log.warn({ err: new Error(message) }, 'Failed to read the job queues. Retrying.')
    this.#isFailing = true
  }

  /** Aborts the jobs and waits for the current runs to end. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#reading
    await this.#listener?.end()
    await this.#boss.stop({ close: false, timeout: stopTimeoutMs })
  }
}

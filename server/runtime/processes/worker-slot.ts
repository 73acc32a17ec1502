import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#server/observability/log.ts'
import type { ShutdownOptions } from './messages.ts'
import type { Ending, WorkerProcess } from './worker-pool.ts'

const firstPauseMs = 100
const longestPauseMs = 10_000
/** Uptime after which a worker's exit counts as the first again, so that the next one starts with the shortest pause. */
const provenMs = 30_000
const maxFailures = 10

/** Returns the backoff: 100 ms after the first exit, doubled after each further one, 10 seconds at most. */
const pauseMs = (ends: number): number => Math.min(firstPauseMs * 2 ** (ends - 1), longestPauseMs)

const getReason = ({ code, signal, reason }: Ending): string => reason ?? (signal ? `killed by ${signal}` : `exit code ${code}`)

/** Keeps one worker running: starts another if it ends unexpectedly. */
export class WorkerSlot {
  private readonly name: string
  private readonly startWorker: () => WorkerProcess
  private readonly log: Log
  private readonly onChange: (port: number | null) => Promise<void>
  private readonly ending = new AbortController()
  private worker: WorkerProcess | null = null
  /** Consecutive failed starts. */
  private failures = 0
  /** Consecutive unexpected exits. Counted from 1 again if the worker had run for `provenMs`. */
  private ends = 0
  /** Rejects if the worker cannot be kept running. */
  readonly lost: Promise<never>
  private giveUp: (error: Error) => void = () => undefined

  /** `onChange` is called with the port of each new worker, before the worker it replaces is asked to shut down, and with null if a worker ends. */
  constructor(name: string, startWorker: () => WorkerProcess, log: Log, onChange: (port: number | null) => Promise<void> = async () => undefined) {
    this.name = name
    this.startWorker = startWorker
    this.log = log
    this.onChange = onChange
    this.lost = new Promise((_resolve, reject) => {
      this.giveUp = reject
    })
    // Prevents an unhandled rejection: a caller may only await it later.
    this.lost.catch(() => undefined)
  }

  /** Resolves with the port of the first worker that serves. @throws after ten consecutive failures, with the reason of the last. */
  async fill(): Promise<number> {
    for (;;) {
      this.ending.signal.throwIfAborted()
      const port = await this.tryOnce()
      if (port !== null) return port
      await sleep(pauseMs(Math.max(this.failures, this.ends)), undefined, { signal: this.ending.signal })
    }
  }

  private async tryOnce(): Promise<number | null> {
    const worker = this.startWorker()
    this.worker = worker
    const port = await worker.ready
    if (port === null) {
      const ending = await worker.gone
      this.failures += 1
      const why = getReason(ending)
      if (ending.isFinal) throw new Error(why)
      if (this.failures >= maxFailures) throw new Error(`The ${this.name} failed to start ${maxFailures} times in a row: ${why}`)
      if (!this.ending.signal.aborted)
        this.log.error({ part: this.name, workerPid: worker.pid, failures: this.failures, why }, 'A service process failed to start. Retrying.')
      return null
    }
    this.failures = 0
    void this.refillAfter(worker)
    await this.onChange(port)
    return port
  }

  private async refillAfter(worker: WorkerProcess): Promise<void> {
    const ending = await worker.gone
    if (this.worker !== worker || this.ending.signal.aborted) return
    this.ends = performance.now() - worker.startedAt > provenMs ? 1 : this.ends + 1
    const inMs = pauseMs(this.ends)
    this.log.error({ part: this.name, workerPid: worker.pid, why: getReason(ending), againInMs: inMs }, 'A service process ended unexpectedly. Restarting it.')
    try {
      await this.onChange(null)
      await sleep(inMs, undefined, { signal: this.ending.signal })
      // A replacement may have taken the slot in the meantime.
      if (this.worker === worker) await this.fill()
    } catch (error) {
      if (!this.ending.signal.aborted) this.giveUp(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** Starts a new worker, then shuts the old one down. If the new one does not start, the old one stays. */
  async replace(how: ShutdownOptions): Promise<void> {
    const old = this.worker
    const next = this.startWorker()
    const port = await next.ready
    if (port === null) throw new Error(`The new ${this.name} did not start: ${getReason(await next.gone)}`)
    // The old worker may have ended in the meantime, with another already starting in its slot.
    if (this.worker !== old) {
      next.drain(how)
      return
    }
    this.worker = next
    void this.refillAfter(next)
    await this.onChange(port)
    old?.drain(how)
    await old?.gone
  }

  /** Shuts the worker down and does not start another. */
  async end(how: ShutdownOptions): Promise<void> {
    this.ending.abort()
    this.worker?.drain(how)
    await this.worker?.gone
  }

  forceExit(): void {
    this.worker?.forceExit()
  }

  /** Kills the worker immediately. */
  kill(): void {
    this.ending.abort()
    this.worker?.kill()
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#server/observability/log.ts'
import type { Child, Ending } from './family.ts'
import type { Leave } from './messages.ts'

const firstPauseMs = 100
const longestPauseMs = 10_000
/** A child that has served for so long did not end for how it was started. */
const provenMs = 30_000
const mostFailures = 10

/** 0.1 seconds after the first end, doubled with each that follows it, 10 at most. */
const pauseMs = (ends: number): number => Math.min(firstPauseMs * 2 ** (ends - 1), longestPauseMs)

const wordsOf = ({ code, signal, reason }: Ending): string => reason ?? (signal ? `it was ended by ${signal}` : `it ended with ${code}`)

/** A place in the service that one child has to fill. It is filled again when its child ends by itself. */
export class Post {
  private readonly name: string
  private readonly startChild: () => Child
  private readonly log: Log
  private readonly onChange: (port: number | null) => Promise<void>
  private readonly ending = new AbortController()
  private child: Child | null = null
  /** Starts in a row that failed. */
  private failures = 0
  /** Ends in a row of children that had not served for long. */
  private ends = 0
  /** Rejects when the place cannot be filled. */
  readonly lost: Promise<never>
  private giveUp: (error: Error) => void = () => undefined

  /** `onChange` is told where each new child listens before the one that it takes the place of is told to leave, and of an end with null. */
  constructor(name: string, startChild: () => Child, log: Log, onChange: (port: number | null) => Promise<void> = async () => undefined) {
    this.name = name
    this.startChild = startChild
    this.log = log
    this.onChange = onChange
    this.lost = new Promise((_resolve, reject) => {
      this.giveUp = reject
    })
    // Somebody may look only later.
    this.lost.catch(() => undefined)
  }

  /** Resolves with the port of the first child that serves. @throws after ten failures in a row, with the reason of the last. */
  async fill(): Promise<number> {
    for (;;) {
      this.ending.signal.throwIfAborted()
      const port = await this.tryOnce()
      if (port !== null) return port
      await sleep(pauseMs(Math.max(this.failures, this.ends)), undefined, { signal: this.ending.signal })
    }
  }

  private async tryOnce(): Promise<number | null> {
    const child = this.startChild()
    this.child = child
    const port = await child.ready
    if (port === null) {
      const ending = await child.gone
      this.failures += 1
      const why = wordsOf(ending)
      if (ending.isFinal) throw new Error(why)
      if (this.failures >= mostFailures) throw new Error(`The ${this.name} failed at its start ${mostFailures} times in a row: ${why}`)
      if (!this.ending.signal.aborted)
        this.log.error({ part: this.name, childPid: child.pid, failures: this.failures, why }, 'A process of the service did not start; trying again.')
      return null
    }
    this.failures = 0
    void this.refillAfter(child)
    await this.onChange(port)
    return port
  }

  private async refillAfter(child: Child): Promise<void> {
    const ending = await child.gone
    if (this.child !== child || this.ending.signal.aborted) return
    this.ends = performance.now() - child.startedAt > provenMs ? 1 : this.ends + 1
    const inMs = pauseMs(this.ends)
    this.log.error(
      { part: this.name, childPid: child.pid, why: wordsOf(ending), againInMs: inMs },
      'A process of the service ended by itself; starting it again.',
    )
    try {
      await this.onChange(null)
      await sleep(inMs, undefined, { signal: this.ending.signal })
      // Meanwhile a replacement may have taken the place.
      if (this.child === child) await this.fill()
    } catch (error) {
      if (!this.ending.signal.aborted) this.giveUp(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** Has a new child take the place, then the old one leave. When the new one does not start, the old one stays. */
  async replace(how: Leave): Promise<void> {
    const old = this.child
    const next = this.startChild()
    const port = await next.ready
    if (port === null) throw new Error(`The new ${this.name} did not start: ${wordsOf(await next.gone)}`)
    // The old one may have ended meanwhile, and another be on its way in its place.
    if (this.child !== old) {
      next.leave(how)
      return
    }
    this.child = next
    void this.refillAfter(next)
    await this.onChange(port)
    old?.leave(how)
    await old?.gone
  }

  /** Has the child leave, and none follow it. */
  async end(how: Leave): Promise<void> {
    this.ending.abort()
    this.child?.leave(how)
    await this.child?.gone
  }

  hurry(): void {
    this.child?.hurry()
  }

  /** Ends the child at once. */
  kill(): void {
    this.ending.abort()
    this.child?.kill()
  }
}

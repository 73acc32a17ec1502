import type { LogFn, Logger } from 'pino'
import { clock } from '#server/clock.ts'

/**
 * Maximum number of lines of one kind per UTC minute: for warnings and errors, and for lower levels. The message of a line is its kind; details that vary are
 * in its fields.
 */
const maxTroubles = 60
const maxNews = 600
const warning = 40

/** Maximum number of kinds per minute. Lines of any further kind are counted as one kind. */
const maxKinds = 500

const others = 'Other lines'

/** Returns the message of a line: the first string among its log arguments. */
const getWords = (given: readonly unknown[]) => given.find((one) => typeof one === 'string') ?? others

/**
 * Prevents a burst of identical lines from filling the disk: limits the lines of each kind per minute, and reports the number of omitted lines with the first
 * line of a later minute.
 */
export class LogLimit {
  private minute = 0
  private counts = new Map<string, number>()
  private leftOut = new Map<string, number>()

  /** Returns true if a line may be written. `tell` writes the number of omitted lines of each kind in the previous minute. */
  admits(words: string, level: number, tell: (leftOut: Readonly<Record<string, number>>) => void): boolean {
    const minute = Math.floor(clock.now() / 60_000)
    if (minute !== this.minute) {
      const before = this.leftOut
      this.minute = minute
      this.counts = new Map()
      this.leftOut = new Map()
      if (before.size > 0) tell(Object.fromEntries(before))
    }
    const kind = this.counts.has(words) || this.counts.size < maxKinds ? words : others
    const lines = (this.counts.get(kind) ?? 0) + 1
    this.counts.set(kind, lines)
    const isWritten = lines <= (level >= warning ? maxTroubles : maxNews)
    if (!isWritten) this.leftOut.set(kind, (this.leftOut.get(kind) ?? 0) + 1)
    return isWritten
  }
}

/** Returns a pino hook that applies the limit. */
export function limitLines(limit = new LogLimit()) {
  return function logMethod(this: Logger, given: Parameters<LogFn>, write: LogFn, level: number): void {
    const tell = (leftOut: Readonly<Record<string, number>>) => write.call(this, { leftOut }, 'Log lines were omitted: too many were identical.')
    if (limit.admits(getWords(given), level, tell)) write.apply(this, given)
  }
}

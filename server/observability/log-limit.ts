import type { LogFn, Logger } from 'pino'
import { clock } from '#server/clock.ts'

/**
 * Lines of one kind that are written in a UTC minute: of warnings and errors, and of what is only told. A kind is what a line says; what differs from one
 * to the next stands in its fields.
 */
const mostTroubles = 60
const mostNews = 600
const warning = 40

/** Kinds that are told apart. Beyond, all others are one kind. */
const mostKinds = 500

const others = 'Other lines'

/** The words of a line: the first text among what it is logged with. */
const wordsOf = (given: readonly unknown[]) => given.find((one) => typeof one === 'string') ?? others

/**
 * Keeps a storm from filling the disk: of lines that say the same, so many are written in a minute and no more, and with the first line of a later one it is
 * said how many were left out.
 */
export class LogLimit {
  private minute = 0
  private counts = new Map<string, number>()
  private leftOut = new Map<string, number>()

  /** Whether a line may be written. `tell` writes how many of each kind were left out of the minute before. */
  admits(words: string, level: number, tell: (leftOut: Readonly<Record<string, number>>) => void): boolean {
    const minute = Math.floor(clock.now() / 60_000)
    if (minute !== this.minute) {
      const before = this.leftOut
      this.minute = minute
      this.counts = new Map()
      this.leftOut = new Map()
      if (before.size > 0) tell(Object.fromEntries(before))
    }
    const kind = this.counts.has(words) || this.counts.size < mostKinds ? words : others
    const lines = (this.counts.get(kind) ?? 0) + 1
    this.counts.set(kind, lines)
    const isWritten = lines <= (level >= warning ? mostTroubles : mostNews)
    if (!isWritten) this.leftOut.set(kind, (this.leftOut.get(kind) ?? 0) + 1)
    return isWritten
  }
}

/** For pino: the limit as one of its hooks. */
export function limitLines(limit = new LogLimit()) {
  return function logMethod(this: Logger, given: Parameters<LogFn>, write: LogFn, level: number): void {
    const tell = (leftOut: Readonly<Record<string, number>>) => write.call(this, { leftOut }, 'Lines were left out of the log: too many said the same.')
    if (limit.admits(wordsOf(given), level, tell)) write.apply(this, given)
  }
}

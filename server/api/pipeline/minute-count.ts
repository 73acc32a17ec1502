import { clock } from '#server/clock.ts'

const maxNames = 50_000

export type MinuteWindow = { readonly limit: number; readonly left: number; readonly resetSeconds: number; readonly isOver: boolean }

/**
 * * Counts by name and UTC minute, in this process only: unauthenticated addresses, and metadata requests by key. The rate limit of a key is counted in SQL
 * instead (`admit`, see server/metering/README.md). With N processes a name gets N times the limit, which is acceptable because no money depends on it.
 */
export class MinuteCount {
  private readonly perMinute: number
  private minute = 0
  private counts = new Map<string, number>()

  constructor(perMinute: number) {
    this.perMinute = perMinute
  }

  count(name: string): MinuteWindow {
    const now = clock.now()
    const minute = Math.floor(now / 60_000)
    if (minute !== this.minute || this.counts.size > maxNames) {
      this.minute = minute
      this.counts = new Map()
    }
    const before = this.counts.get(name) ?? 0
    const isOver = before >= this.perMinute
    const used = isOver ? before : before + 1
    this.counts.set(name, used)
    return { limit: this.perMinute, left: this.perMinute - used, resetSeconds: Math.ceil(((minute + 1) * 60_000 - now) / 1000), isOver }
  }
}

import { clock } from '#server/clock.ts'

const mostCounted = 50_000

export type MinuteWindow = { readonly limit: number; readonly left: number; readonly resetSeconds: number; readonly isOver: boolean }

/**
 * Counts by name, in UTC minutes, inside this process: it never touches the database. With N processes a name has N times the allowance, which is fine
 * for a guard that protects no money.
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
    if (minute !== this.minute || this.counts.size > mostCounted) {
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

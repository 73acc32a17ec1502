import { clock } from '#server/clock.ts'
import { getNetwork } from '#server/keys/address-list.ts'
import type { Outcome } from '#server/metering/batch.ts'

const maxNames = 50_000

export type MinuteWindow = { readonly limit: number; readonly left: number; readonly resetSeconds: number; readonly isOver: boolean }

/**
 * Counts requests by name and UTC minute, in this process only. The name is a network (IPv4 address or IPv6 /64) for unauthenticated requests, and a key id for
 * metadata requests. API calls with a key are counted in SQL instead (`admit`, see server/metering/README.md). With N processes, the effective limit is N times
 * as high; that is acceptable, because no charge depends on it.
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

/** Values of the rate limit headers. `resetSeconds` is relative to now. */
export type Window = { readonly limit: number; readonly left: number; readonly resetSeconds: number; readonly rateLimit: string; readonly policy: string }

const policies = new Map<number, string>()

/** Returns the value of `RateLimit-Policy`, cached for each pair of limits. */
function getPolicy(minuteLimit: number, dayLimit: number): string {
  const key = minuteLimit * 4_294_967 + dayLimit
  let policy = policies.get(key)
  if (policy === undefined) {
    policy = dayLimit > 0 ? `"minute";q=${minuteLimit};w=60, "day";q=${dayLimit};w=86400` : `"minute";q=${minuteLimit};w=60`
    if (policies.size < 1_000) policies.set(key, policy)
  }
  return policy
}

/** Returns the seconds until the next window of this length begins, rounded up. */
export const secondsLeft = (now: number, windowMs: number) => Math.ceil((windowMs - (now % windowMs)) / 1000)

/** Limits and remaining requests at the time `now`. */
type Limits = Pick<Outcome, 'now' | 'minuteLimit' | 'minuteLeft' | 'dayLimit' | 'dayLeft'>

/** Returns the window for the X-RateLimit headers: the minute, or the day if the daily limit is reached. Test keys have no daily limit. */
export function getWindow(outcome: Limits, mode: 'live' | 'test', isDayOver: boolean): Window {
  const minuteReset = secondsLeft(outcome.now, 60_000)
  const minute = `"minute";r=${Math.max(0, outcome.minuteLeft)};t=${minuteReset}`
  if (mode === 'test') {
    const left = Math.max(0, outcome.minuteLeft)
    return { limit: outcome.minuteLimit, left, resetSeconds: minuteReset, rateLimit: minute, policy: getPolicy(outcome.minuteLimit, 0) }
  }
  const dayReset = secondsLeft(outcome.now, 86_400_000)
  const rateLimit = `${minute}, "day";r=${Math.max(0, outcome.dayLeft)};t=${dayReset}`
  const policy = getPolicy(outcome.minuteLimit, outcome.dayLimit)
  if (isDayOver) return { limit: outcome.dayLimit, left: 0, resetSeconds: dayReset, rateLimit, policy }
  return { limit: outcome.minuteLimit, left: Math.max(0, outcome.minuteLeft), resetSeconds: minuteReset, rateLimit, policy }
}

/** Returns the rate limit header values for an in-process count. `name` is the name of the window in the headers. */
export function countWindow(name: 'address' | 'questions', { limit, left, resetSeconds }: Omit<MinuteWindow, 'isOver'>): Window {
  return { limit, left, resetSeconds, rateLimit: `"${name}";r=${left};t=${resetSeconds}`, policy: `"${name}";q=${limit};w=60` }
}

/** Appends the rate limit headers to a flat list. */
export function pushWindow(headers: string[], window: Window): void {
  headers.push(
    'X-RateLimit-Limit',
    String(window.limit),
    'X-RateLimit-Remaining',
    String(window.left),
    'X-RateLimit-Reset',
    String(window.resetSeconds),
    'RateLimit',
    window.rateLimit,
    'RateLimit-Policy',
    window.policy,
  )
}

export function limitHeaders(window: Window): string[] {
  const headers: string[] = []
  pushWindow(headers, window)
  return headers
}

/** Maximum calls per minute from one network without a valid key. Keys can't be guessed anyway; this stops a misconfigured client from flooding the log. */
const unauthenticatedPerMinute = 1_000

/** Counts calls per minute and network (IPv4 address or IPv6 /64). */
export class AddressLimit {
  private readonly calls: MinuteCount

  constructor(perMinute = unauthenticatedPerMinute) {
    this.calls = new MinuteCount(perMinute)
  }

  count(address: string | null): MinuteWindow {
    return this.calls.count(getNetwork(address))
  }
}

import type { SavingsRatesError } from './savings-rates-error.ts'

/** The service was busy or failed, or a proxy before it did. Every other status is an answer that stays the same. */
const passing: ReadonlySet<number> = new Set([429, 500, 502, 503, 504])

const firstPauseMs = 250
const longestPauseMs = 8_000
/** Callers that were told the same second must not all come in it. */
const spreadMs = 1_000

/** Seconds that an answer asks to wait, given as such or as an HTTP date; null when it does not ask. */
export function retryAfterSeconds(headers: Headers, now: number = Date.now()): number | null {
  const text = headers.get('Retry-After')?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const at = /^[A-Z]/i.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) return null
  // By the clock of whoever answered, where it is told: ours may be wrong.
  const sent = Date.parse(headers.get('Date') ?? '')
  return Math.max(0, Math.ceil((at - (Number.isNaN(sent) ? now : sent)) / 1_000))
}

/**
 * Milliseconds to wait before the next attempt, or null when another would change nothing. What the service asks for is never cut short; without it pauses
 * grow, and half of each is left to chance.
 */
export function pauseBefore(
  { code, status, retryAfterSeconds: asked }: SavingsRatesError,
  attempts: number,
  random: () => number = Math.random,
): number | null {
  const isPassing = status === null ? code === 'network_error' || code === 'timeout' : passing.has(status)
  if (!isPassing) return null
  if (asked !== null) return asked * 1_000 + random() * spreadMs
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempts - 1))
  return pause / 2 + (random() * pause) / 2
}

/** Waits, unless the caller gives up meanwhile. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp)
      resolve()
    }, ms)
    signal?.addEventListener('abort', giveUp, { once: true })
  })
}

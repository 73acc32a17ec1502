import type { SavingsRatesError } from './savings-rates-error.ts'

/** Statuses of a busy or failed service or proxy. With any other status a retry gives the same result. */
const retryableStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504])

const firstPauseMs = 250
const maxPauseMs = 8_000
/** Jitter, so that clients given the same delay don't all return in the same second. */
const jitterMs = 1_000

/** Parses Retry-After in seconds or as an HTTP date. Returns seconds, or null if it is missing. */
export function retryAfterSeconds(headers: Headers, now: number = Date.now()): number | null {
  const text = headers.get('Retry-After')?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const at = /^[A-Z]/i.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) return null
  // Use the server's clock if known: the local one may be wrong.
  const sent = Date.parse(headers.get('Date') ?? '')
  return Math.max(0, Math.ceil((at - (Number.isNaN(sent) ? now : sent)) / 1_000))
}

/**
 * Returns the delay before the next attempt in milliseconds, or null if a retry is pointless. Never shorter than Retry-After. Without it, delays grow
 * exponentially, with half of each random.
 */
export function pauseBefore(
  { code, status, retryAfterSeconds: asked }: SavingsRatesError,
  attempts: number,
  random: () => number = Math.random,
): number | null {
  const isRetryable = status === null ? code === 'network_error' || code === 'timeout' : retryableStatuses.has(status)
  if (!isRetryable) return null
  if (asked !== null) return asked * 1_000 + random() * jitterMs
  const pause = Math.min(maxPauseMs, firstPauseMs * 2 ** (attempts - 1))
  return pause / 2 + (random() * pause) / 2
}

/** Waits, unless aborted. */
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

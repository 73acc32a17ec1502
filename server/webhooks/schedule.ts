import { retryMinutes } from '../contract/events.ts'

const minuteMs = 60_000
const longestMs = Math.max(...retryMinutes) * minuteMs

/** How long a receiver asks to be left alone, in milliseconds; null when it does not say. Seconds, or a date. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const at = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}

/**
 * When a delivery is tried again after attempt n failed; null: it is dead. A receiver that asks for more time gets it, up to the longest wait of the
 * schedule; it never gets an attempt earlier or an attempt more.
 */
export function nextAttemptAt(attempt: number, failedAtMs: number, askedMs: number | null): number | null {
  const minutes = retryMinutes[attempt - 1]
  if (minutes === undefined) return null
  return failedAtMs + Math.max(minutes * minuteMs, Math.min(askedMs ?? 0, longestMs))
}

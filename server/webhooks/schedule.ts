import { retryMinutes } from '#server/api/contract/events.ts'

const minuteMs = 60_000
const longestMs = Math.max(...retryMinutes) * minuteMs

/** A date in one of the three forms of HTTP, the third of which does not name its zone. */
const httpDates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

function dateOf(text: string): number {
  if (!httpDates.some((form) => form.test(text))) return Number.NaN
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
}

/** How long a receiver asks to be left alone, in milliseconds; null when it does not say. Seconds, however many, or a date. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, longestMs)
  const at = dateOf(text)
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}

/**
 * How long after attempt n failed a delivery is tried again, in milliseconds; null: it is dead. A receiver that asks for more time gets it, up to the longest wait of the
 * schedule; it never gets an attempt earlier or an attempt more.
 */
export function waitAfter(attempt: number, askedMs: number | null): number | null {
  const minutes = retryMinutes[attempt - 1]
  if (minutes === undefined) return null
  return Math.max(minutes * minuteMs, Math.min(askedMs ?? 0, longestMs))
}

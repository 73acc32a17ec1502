/** Delay after a failed attempt. The delays in minutes are in `server/api/contract/webhooks.ts`, because they are published in the documents. */

import { retryMinutes } from '#server/api/contract/webhooks.ts'

const minuteMs = 60_000
const maxDelayMs = Math.max(...retryMinutes) * minuteMs

/** The three HTTP date formats. The third has no time zone. */
const httpDates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

function parseHttpDate(text: string): number {
  if (!httpDates.some((form) => form.test(text))) return Number.NaN
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
}

/** Parses Retry-After, in seconds or as an HTTP date. Returns milliseconds, or null if it is missing or invalid. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, maxDelayMs)
  const at = parseHttpDate(text)
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}

/**
 * Returns the delay before the next attempt in milliseconds; null if this attempt (numbered from 1) was the last. Retry-After can extend the delay, up to the
 * longest delay in the schedule, but it never shortens the delay or adds attempts.
 */
export function waitAfter(attempt: number, askedMs: number | null): number | null {
  const minutes = retryMinutes[attempt - 1]
  if (minutes === undefined) return null
  return Math.max(minutes * minuteMs, Math.min(askedMs ?? 0, maxDelayMs))
}

import type { Pool } from 'pg'
import { readUptimeDays, recordUptimeCheck } from './uptime-checks.store.ts'

/** Uptime of a UTC day: the minutes in which the service was ready when checked, and the minutes in which it was not. */
export type UptimeDay = { readonly day: string; readonly good: number; readonly bad: number; readonly readAt: Date }

const daysShown = 90

/** Returns the days of the last 90 that have uptime checks, oldest first. A missing day was not checked at all. */
export async function getRecentUptime(pool: Pool): Promise<readonly UptimeDay[]> {
  return (await readUptimeDays(pool, daysShown)).map(({ read_at, ...row }) => ({ ...row, readAt: read_at }))
}

const checkTimeoutMs = 10_000

/** Checks readiness the way a load balancer does. Returns null if the service is draining, which counts as neither; no response counts as not ready. */
async function canServe(origin: string, signal: AbortSignal): Promise<boolean | null> {
  try {
    const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.any([signal, AbortSignal.timeout(checkTimeoutMs)]), redirect: 'error' })
    const body = (await response.json()) as { ok?: unknown; draining?: unknown }
    return body.draining === true ? null : response.ok && body.ok === true
  } catch {
    // An aborted check has no result.
    return signal.aborted ? null : false
  }
}

/** Checks whether the service at this origin is ready, and records the result. */
export async function checkUptime(pool: Pool, origin: string, signal: AbortSignal): Promise<void> {
  const isGood = await canServe(origin, signal)
  if (isGood !== null) await recordUptimeCheck(pool, isGood)
}

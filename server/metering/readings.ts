import type { Pool } from 'pg'
import { readReadings, writeReading } from './readings.store.ts'

/** A UTC day of which something is known: how many minutes of it the service could serve when it was asked, and how many it could not. */
export type ReadingDay = { readonly day: string; readonly good: number; readonly bad: number; readonly readAt: Date }

const daysKnown = 90

/** The days of the last ninety that were read, the oldest first. A day that is missing was not read at all. */
export async function readingsLately(pool: Pool): Promise<readonly ReadingDay[]> {
  return (await readReadings(pool, daysKnown)).map(({ read_at, ...row }) => ({ ...row, readAt: read_at }))
}

const withinMs = 10_000

/**
 * Asks the service as a load balancer asks it whether it can serve; null: it says that it is on its way out, which is neither. What does not answer cannot
 * serve.
 */
async function canServe(origin: string, signal: AbortSignal): Promise<boolean | null> {
  try {
    const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.any([signal, AbortSignal.timeout(withinMs)]), redirect: 'error' })
    const body = (await response.json()) as { ok?: unknown; draining?: unknown }
    return body.draining === true ? null : response.ok && body.ok === true
  } catch {
    // Whoever stops meanwhile has found out nothing.
    return signal.aborted ? null : false
  }
}

/** Takes down whether the service at an address can serve. */
export async function takeReading(pool: Pool, origin: string, signal: AbortSignal): Promise<void> {
  const isGood = await canServe(origin, signal)
  if (isGood !== null) await writeReading(pool, isGood)
}

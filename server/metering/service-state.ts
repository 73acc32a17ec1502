import type { Availability } from '#server/api/contract/endpoint.ts'
import { dataLicence } from '#server/api/contract/envelope.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { raiseVersion, readOverride, readServiceState, readUptimeDays, recordUptimeCheck, writeOverride } from './service-state.store.ts'

/** Configuration shared by all processes. When `version` changes, every process reloads it with its next request. */
export type ServiceState = {
  readonly version: number
  readonly marketVersion: number
  /** Availability overrides set by an administrator, by endpoint id. */
  readonly overrides: ReadonlyMap<string, Availability>
  /** Label of the current Data Licence version. */
  readonly licence: string
}

export async function loadServiceState(pool: Database): Promise<ServiceState> {
  const row = await readServiceState(pool)
  return { version: row.version, marketVersion: row.market_version, overrides: new Map(Object.entries(row.overrides)), licence: row.licence ?? dataLicence }
}

/** Makes every process reload the shared configuration with its next request. Must come last in a transaction, because it locks a row that all changes need. */
export const notifyConfigChanged = (client: Transaction): Promise<void> => raiseVersion(client)

/** Returns the availability override for an endpoint, or null if it has none. Runs in the transaction that changes it. */
export const getOverride = (client: Transaction, endpointId: string): Promise<Availability | null> => readOverride(client, endpointId)

/** Sets the availability override for an endpoint; null removes it. Takes effect once `notifyConfigChanged` is called. */
export const setOverride = (client: Transaction, endpointId: string, availability: Availability | null): Promise<void> =>
  writeOverride(client, endpointId, availability)

/** Uptime checks of a UTC day, one a minute: `good` found the service ready, `bad` did not. `readAt` is the time of the last one. */
export type UptimeDay = { readonly day: string; readonly good: number; readonly bad: number; readonly readAt: Date }

const daysShown = 90

/** Returns the uptime of the last 90 days, oldest first. Days without checks are left out. */
export async function getRecentUptime(pool: Database): Promise<readonly UptimeDay[]> {
  return (await readUptimeDays(pool, daysShown)).map(({ read_at, ...row }) => ({ ...row, readAt: read_at }))
}

const checkTimeoutMs = 10_000

/** Checks readiness as a load balancer does; no response means not ready. Returns null, for a check that doesn't count, if the service is draining. */
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
export async function checkUptime(pool: Database, origin: string, signal: AbortSignal): Promise<void> {
  const isGood = await canServe(origin, signal)
  if (isGood !== null) await recordUptimeCheck(pool, isGood)
}

import type { Availability } from '#server/api/contract/endpoint.ts'
import { dataLicence } from '#server/api/contract/envelope.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { raiseVersion, readOverride, readServiceState, readUptimeDays, recordUptimeCheck, writeOverride } from './service-state.store.ts'

/** Shared config. After `version` changes, every process reloads it with its next request. */
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

/** Makes every process reload the shared config with its next request. Call it last in a transaction, because every other config change waits for this row. */
export const notifyConfigChanged = (client: Transaction): Promise<void> => raiseVersion(client)

/** Returns the availability override for an endpoint, within the transaction that changes it. */
export const getOverride = (client: Transaction, endpointId: string): Promise<Availability | null> => readOverride(client, endpointId)

/** Sets the availability override for an endpoint; null removes it. Takes effect once `notifyConfigChanged` is called. */
export const setOverride = (client: Transaction, endpointId: string, availability: Availability | null): Promise<void> =>
  writeOverride(client, endpointId, availability)

/** Uptime of a UTC day: the minutes in which the service was ready when checked, and the minutes in which it was not. */
export type UptimeDay = { readonly day: string; readonly good: number; readonly bad: number; readonly readAt: Date }

const daysShown = 90

/** Returns the days with uptime checks among the last 90 days, oldest first. A missing day had no checks. */
export async function getRecentUptime(pool: Database): Promise<readonly UptimeDay[]> {
  return (await readUptimeDays(pool, daysShown)).map(({ read_at, ...row }) => ({ ...row, readAt: read_at }))
}

const checkTimeoutMs = 10_000

/** Checks readiness the way a load balancer does. No response counts as not ready. Returns null if the service is draining, which is not counted. */
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

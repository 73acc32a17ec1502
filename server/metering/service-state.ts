import type { Pool, PoolClient } from 'pg'
import type { Availability } from '#server/api/contract/endpoint.ts'
import { dataLicence } from '#server/api/contract/envelope.ts'
import { raiseVersion, readOverride, readServiceState, writeOverride } from './service-state.store.ts'

/** Shared config. After `version` changes, every process reloads it with its next request. */
export type ServiceState = {
  readonly version: number
  readonly marketVersion: number
  /** Availability overrides set by an administrator, by endpoint id. */
  readonly overrides: ReadonlyMap<string, Availability>
  /** Label of the current Data Licence version. */
  readonly licence: string
}

export async function loadServiceState(pool: Pool): Promise<ServiceState> {
  const row = await readServiceState(pool)
  return { version: row.version, marketVersion: row.market_version, overrides: new Map(Object.entries(row.overrides)), licence: row.licence ?? dataLicence }
}

/** Makes every process reload the shared config with its next request. Call it last in a transaction, because all other changes wait for this row. */
export const notifyConfigChanged = (client: PoolClient): Promise<void> => raiseVersion(client)

/** Returns the availability override for an endpoint, within the transaction that changes it. */
export const getOverride = (client: PoolClient, endpointId: string): Promise<Availability | null> => readOverride(client, endpointId)

/** Sets the availability override for an endpoint; null removes it. Takes effect once `notifyConfigChanged` is called. */
export const setOverride = (client: PoolClient, endpointId: string, availability: Availability | null): Promise<void> =>
  writeOverride(client, endpointId, availability)

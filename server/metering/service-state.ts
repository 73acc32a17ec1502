import type { Pool, PoolClient } from 'pg'
import type { Availability } from '#server/api/contract/endpoint.ts'
import { dataLicence } from '#server/api/contract/envelope.ts'
import { raiseVersion, readOverride, readServiceState, writeOverride } from './service-state.store.ts'

/** Facts that all processes share. A new `version` makes every gateway read them again with its next request. */
export type ServiceState = {
  readonly version: number
  readonly marketVersion: number
  /** Availability that an administrator set over the catalogue, by endpoint id. */
  readonly overrides: ReadonlyMap<string, Availability>
  /** Label of the newest version of the Data Licence. */
  readonly licence: string
}

export async function loadServiceState(pool: Pool): Promise<ServiceState> {
  const row = await readServiceState(pool)
  return { version: row.version, marketVersion: row.market_version, overrides: new Map(Object.entries(row.overrides)), licence: row.licence ?? dataLicence }
}

/** Has every process read the shared facts again with its next request. Last of all in a transaction, since every other change waits for it. */
export const announceSharedFacts = (client: PoolClient): Promise<void> => raiseVersion(client)

/** What an administrator set over the catalogue for an endpoint, within the transaction that changes it. */
export const overrideOf = (client: PoolClient, endpointId: string): Promise<Availability | null> => readOverride(client, endpointId)

/** Sets it; null: the catalogue's holds again. It is known once the shared facts are announced. */
export const setOverride = (client: PoolClient, endpointId: string, availability: Availability | null): Promise<void> =>
  writeOverride(client, endpointId, availability)

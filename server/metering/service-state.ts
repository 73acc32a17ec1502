import type { Pool } from 'pg'
import type { Availability } from '../contract/endpoint.ts'
import { readServiceState } from './service-state.store.ts'

/** Facts that all processes share. A new `version` makes every gateway read them again with its next request. */
export type ServiceState = {
  readonly version: number
  readonly marketVersion: number
  /** Availability that an administrator set over the catalogue, by endpoint id. */
  readonly overrides: ReadonlyMap<string, Availability>
}

export async function loadServiceState(pool: Pool): Promise<ServiceState> {
  const row = await readServiceState(pool)
  return { version: row.version, marketVersion: row.market_version, overrides: new Map(Object.entries(row.overrides)) }
}

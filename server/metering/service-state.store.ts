import type { Pool } from 'pg'
import type { Availability } from '../contract/endpoint.ts'

export type ServiceStateRow = { version: number; market_version: number; overrides: Record<string, Availability> }

/** The version of the shared facts and what belongs to it, in one statement. */
export async function readServiceState(pool: Pool): Promise<ServiceStateRow> {
  const { rows } = await pool.query<ServiceStateRow>(
    `SELECT version, market_version,
       (SELECT coalesce(jsonb_object_agg(endpoint_id, availability), '{}') FROM endpoint_override) AS overrides FROM service_state`,
  )
  const row = rows[0]
  if (!row) throw new Error('The table service_state is empty. Run the migrations again.')
  return row
}

import type { Pool, PoolClient } from 'pg'
import type { Availability } from '#server/api/contract/endpoint.ts'

export type ServiceStateRow = { version: number; market_version: number; overrides: Record<string, Availability>; licence: string | null }

/** Reads the config version and everything that belongs to it, in one statement. */
export async function readServiceState(pool: Pool): Promise<ServiceStateRow> {
  const { rows } = await pool.query<ServiceStateRow>(
    `SELECT version, market_version,
       (SELECT coalesce(jsonb_object_agg(endpoint_id, availability), '{}') FROM endpoint_override) AS overrides,
       (SELECT label FROM licence_version WHERE published_at <= now() ORDER BY published_at DESC LIMIT 1) AS licence FROM service_state`,
  )
  const row = rows[0]
  if (!row) throw new Error('The table service_state is empty. Run the migrations again.')
  return row
}

/** Returns the administrator's availability override for an endpoint, or null. */
export async function readOverride(client: PoolClient, endpointId: string): Promise<Availability | null> {
  const { rows } = await client.query<{ availability: Availability }>('SELECT availability FROM endpoint_override WHERE endpoint_id = $1', [endpointId])
  return rows[0]?.availability ?? null
}

/** Sets the availability override of an endpoint; null removes it, so that the registry's value applies again. */
export async function writeOverride(client: PoolClient, endpointId: string, availability: Availability | null): Promise<void> {
  if (availability === null) await client.query('DELETE FROM endpoint_override WHERE endpoint_id = $1', [endpointId])
  else
    await client.query('INSERT INTO endpoint_override VALUES ($1, $2) ON CONFLICT (endpoint_id) DO UPDATE SET availability = excluded.availability', [
      endpointId,
      availability,
    ])
}

export async function raiseVersion(client: PoolClient): Promise<void> {
  await client.query('UPDATE service_state SET version = version + 1')
}

import type { Availability } from '#server/api/contract/endpoint.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'

export type ServiceStateRow = { version: number; market_version: number; overrides: Record<string, Availability>; licence: string | null }

/** Reads the shared config and its version in one statement, so that they match. */
export async function readServiceState(pool: Database): Promise<ServiceStateRow> {
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
export async function readOverride(client: Transaction, endpointId: string): Promise<Availability | null> {
  const { rows } = await client.query<{ availability: Availability }>('SELECT availability FROM endpoint_override WHERE endpoint_id = $1', [endpointId])
  return rows[0]?.availability ?? null
}

/** Sets the availability override of an endpoint. Null removes it, so that the value in the registry applies again. */
export async function writeOverride(client: Transaction, endpointId: string, availability: Availability | null): Promise<void> {
  if (availability === null) await client.query('DELETE FROM endpoint_override WHERE endpoint_id = $1', [endpointId])
  else
    await client.query('INSERT INTO endpoint_override VALUES ($1, $2) ON CONFLICT (endpoint_id) DO UPDATE SET availability = excluded.availability', [
      endpointId,
      availability,
    ])
}

export async function raiseVersion(client: Transaction): Promise<void> {
  await client.query('UPDATE service_state SET version = version + 1')
}

/** Records an uptime check for its UTC day, at most one per minute across all workers, and deletes days older than 400 days. */
export async function recordUptimeCheck(pool: Database, isGood: boolean): Promise<void> {
  await pool.query(
    `WITH old AS (DELETE FROM uptime_check WHERE day < (now() AT TIME ZONE 'UTC')::date - 400)
     INSERT INTO uptime_check AS r (day, good, bad, read_at)
     VALUES ((now() AT TIME ZONE 'UTC')::date, $1::boolean::int, (NOT $1::boolean)::int, now())
     ON CONFLICT (day) DO UPDATE SET good = r.good + excluded.good, bad = r.bad + excluded.bad, read_at = excluded.read_at
       WHERE r.read_at < date_trunc('minute', now())`,
    [isGood],
  )
}

type UptimeRow = { day: string; good: number; bad: number; read_at: Date }

/** Returns the days with uptime checks among the last `count` days, oldest first. */
export async function readUptimeDays(pool: Database, count: number): Promise<UptimeRow[]> {
  const { rows } = await pool.query<UptimeRow>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS day, good, bad, read_at FROM uptime_check
     WHERE day > (now() AT TIME ZONE 'UTC')::date - $1::int AND day <= (now() AT TIME ZONE 'UTC')::date ORDER BY day LIMIT $1`,
    [count],
  )
  return rows
}

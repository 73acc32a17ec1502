import type { Pool, PoolClient } from 'pg'

/** Asks for a fetch; false when one of the source is asked for already. */
export async function addOrder(client: PoolClient, source: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'INSERT INTO source_order (source, ordered_at) VALUES ($1, clock_timestamp()) ON CONFLICT (source) WHERE settled_at IS NULL DO NOTHING',
    [source],
  )
  return rowCount === 1
}

export type OrderRow = { id: string; source: string; ordered_at: Date; settled_at: Date | null; outcome: string | null }

/** The fetch that was asked for first and is not done; undefined when there is none. */
export async function nextOrder(pool: Pool): Promise<OrderRow | undefined> {
  const { rows } = await pool.query<OrderRow>(
    'SELECT id, source, ordered_at, settled_at, outcome FROM source_order WHERE settled_at IS NULL ORDER BY id LIMIT 1',
  )
  return rows[0]
}

export async function settleOrder(pool: Pool, id: string, outcome: string): Promise<void> {
  await pool.query('UPDATE source_order SET settled_at = clock_timestamp(), outcome = $2 WHERE id = $1', [id, outcome])
}

/** The newest order of a source; undefined when nobody ever asked. */
export async function newestOrder(pool: Pool, source: string): Promise<OrderRow | undefined> {
  const { rows } = await pool.query<OrderRow>(
    'SELECT id, source, ordered_at, settled_at, outcome FROM source_order WHERE source = $1 ORDER BY id DESC LIMIT 1',
    [source],
  )
  return rows[0]
}

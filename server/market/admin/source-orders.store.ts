import type { Pool, PoolClient } from 'pg'

/** Requests a fetch; returns false if the source already has a pending request. */
export async function addOrder(client: PoolClient, source: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'INSERT INTO source_order (source, ordered_at) VALUES ($1, clock_timestamp()) ON CONFLICT (source) WHERE settled_at IS NULL DO NOTHING',
    [source],
  )
  return rowCount === 1
}

export type OrderRow = { id: string; source: string; ordered_at: Date; settled_at: Date | null; outcome: string | null }

/** Oldest pending fetch request; undefined if there is none. */
export async function nextOrder(pool: Pool): Promise<OrderRow | undefined> {
  const { rows } = await pool.query<OrderRow>(
    'SELECT id, source, ordered_at, settled_at, outcome FROM source_order WHERE settled_at IS NULL ORDER BY id LIMIT 1',
  )
  return rows[0]
}

export async function settleOrder(pool: Pool, id: string, outcome: string): Promise<void> {
  await pool.query('UPDATE source_order SET settled_at = clock_timestamp(), outcome = $2 WHERE id = $1', [id, outcome])
}

/** Latest fetch request of a source; undefined if there has been none. */
export async function newestOrder(pool: Pool, source: string): Promise<OrderRow | undefined> {
  const { rows } = await pool.query<OrderRow>(
    'SELECT id, source, ordered_at, settled_at, outcome FROM source_order WHERE source = $1 ORDER BY id DESC LIMIT 1',
    [source],
  )
  return rows[0]
}

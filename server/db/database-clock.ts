import type { Pool } from 'pg'

/** Returns the database time in milliseconds since 1970 UTC. */
export async function databaseTimeMs(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>('SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms')
  const [row] = rows
  if (row === undefined) throw new Error('The database did not return its time.')
  return row.ms
}

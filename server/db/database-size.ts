import type { Pool } from 'pg'

type TableSize = { name: string; rows: number; bytes: number }

const tablesShown = 12

// Uses the catalogue's estimates: counts no rows and reads no files.
const tablesSql = `SELECT name, sum(greatest(reltuples, 0))::float8 AS rows, sum(relpages::bigint * current_setting('block_size')::int)::float8 AS bytes FROM (
    SELECT coalesce(i.inhparent::regclass::text, c.relname) AS name, c.reltuples, c.relpages
    FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r') part
  GROUP BY name ORDER BY bytes DESC, name LIMIT $1`

/** Returns the database size in bytes and the largest tables with estimated row counts. */
export async function databaseSize(pool: Pool): Promise<{ bytes: number; tables: TableSize[] }> {
  const { rows } = await pool.query<{ bytes: number }>('SELECT pg_database_size(current_database())::float8 AS bytes')
  const { rows: tables } = await pool.query<TableSize>(tablesSql, [tablesShown])
  return { bytes: rows[0]?.bytes ?? 0, tables }
}

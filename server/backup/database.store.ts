import { Client } from 'pg'
import type { BackupTable } from './backup-format.ts'

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

type TableRow = Pick<BackupTable, 'name' | 'columns' | 'partitions'>

const tablesSql = `SELECT c.relname::text AS name,
    (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('name', p.relname, 'bound', pg_get_expr(p.relpartbound, p.oid)) ORDER BY p.relname), '[]')
      FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid WHERE i.inhparent = c.oid) AS partitions
  FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> '_prisma_migrations'
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY c.relname COLLATE "C"`

/** Lists the service's tables with their columns and partitions, by name. Excludes the migrations table. */
export async function readTables(client: Client): Promise<TableRow[]> {
  return (await client.query<TableRow>(tablesSql)).rows
}

/** Session settings that make COPY produce the same bytes for the same rows, regardless of the settings of the server or role. */
export const writeAlike = `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = '30s';
  SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL IntervalStyle = 'postgres'; SET LOCAL extra_float_digits = 1;
  SET LOCAL bytea_output = 'hex'; SET LOCAL client_encoding = 'UTF8'; SET LOCAL synchronize_seqscans = off; SET LOCAL max_parallel_workers_per_gather = 0`

/**
 * Opens a connection for a backup or restore, which may take hours: no time limits, but with keepalives. Destroys the connection if `use` fails, because an
 * unread COPY would never end.
 */
export async function withConnection<Result>(url: string, applicationName: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  // If the connection breaks, a query in progress fails. Between queries only this event fires, and the next query fails.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const result = await use(client)
    await client.end()
    return result
  } catch (error) {
    client.connection.stream.destroy()
    throw error
  }
}

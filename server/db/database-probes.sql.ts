/** Reads and sets the state of the database server and its sessions. Prisma has no access to the catalogue or to settings. */
import { type Client, escapeIdentifier, type Pool } from 'pg'
import { getCode, getMessage } from './database-errors.ts'
import { NoPrimaryError } from './find-primary.ts'
import type { Queryable } from './migrations.sql.ts'
import { PrimaryClient } from './primary-client.ts'
import type { Database, Transaction } from './prisma.ts'
import { inTransaction } from './transaction.ts'

/** Returns the database time in milliseconds since 1970 UTC. */
export async function databaseTimeMs(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>('SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms')
  const [row] = rows
  if (row === undefined) throw new Error('The database did not return its time.')
  return row.ms
}

/** SQLSTATEs of a managed server that doesn't offer these functions, or denies them to this role. */
const unavailable = new Set(['0A000', '42501', '42883'])

/**
 * Identifies the history of the database: a promoted standby starts a new timeline, and a new server has another identifier. Returns null if the server doesn't
 * report it. @throws while the server is a standby
 */
export async function readServerHistory(pool: Pick<Pool, 'query'>): Promise<string | null> {
  const sql = "SELECT system_identifier || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS history FROM pg_control_system()"
  try {
    return (await pool.query<{ history: string }>(sql)).rows[0]?.history ?? null
  } catch (error) {
    if (!unavailable.has(getCode(error))) throw error
    return null
  }
}

type TableSize = { name: string; rows: number; bytes: number }

const tablesShown = 12

// Estimates the rows instead of counting them: a table that was never analysed has no estimate in the catalogue, but live rows in its statistics.
const tablesSql = `SELECT name, sum(rows)::float8 AS rows, sum(bytes)::float8 AS bytes FROM (
    SELECT coalesce(i.inhparent::regclass::text, c.relname) AS name, greatest(c.reltuples, pg_stat_get_live_tuples(c.oid)) AS rows,
      coalesce(pg_total_relation_size(c.oid), 0) AS bytes
    FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r') part
  GROUP BY name ORDER BY bytes DESC, name LIMIT $1`

/** Returns the database size in bytes and the largest tables with estimated row counts. A table's size includes its indexes. */
export async function databaseSize(pool: Pool): Promise<{ bytes: number; tables: TableSize[] }> {
  const { rows } = await pool.query<{ bytes: number }>('SELECT pg_database_size(current_database())::float8 AS bytes')
  const { rows: tables } = await pool.query<TableSize>(tablesSql, [tablesShown])
  return { bytes: rows[0]?.bytes ?? 0, tables }
}

const timeoutMs = 2_000

/** Returns true if the database responds within two seconds. */
export function isReachable(pool: Pool): Promise<boolean> {
  const timeout = new Promise<false>((resolve) => setTimeout(() => resolve(false), timeoutMs).unref())
  const query = pool.query('SELECT 1').then(
    () => true,
    () => false,
  )
  return Promise.race([query, timeout])
}

const connectTimeoutMs = 5_000

/** Error codes for a server that isn't listening yet, or whose name doesn't resolve yet. Common when containers start at the same time. */
const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])
/** SQLSTATEs of a server that is starting, stopping or recovering, or has no connection slots left. */
const serverCodes = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '08006'])
/** Matches the messages of a pooler that can't reach its server. Their code, 08P01, isn't enough: poolers also use it for configuration errors. */
const poolerWaits = /server login has been failing|cannot connect to server|server conn crashed|query_wait_timeout|connect timeout/i
const silence = /Connection terminated|timeout expired/

/** Returns true if a retry may succeed without any change in configuration. */
export function mayWorkLater(error: unknown): boolean {
  if (error instanceof NoPrimaryError) return error.hasStandby || error.errors.some(mayWorkLater)
  const code = getCode(error)
  const text = getMessage(error)
  return networkCodes.has(code) || serverCodes.has(code) || (code === '08P01' && poolerWaits.test(text)) || silence.test(text)
}

/** Connects and disconnects. @throws the connection error */
export async function reachDatabase(url: string): Promise<void> {
  const client = new PrimaryClient({ connectionString: url, application_name: 'svc-start', connectionTimeoutMillis: connectTimeoutMs })
  // Safe to ignore: if the connection breaks between two steps, the next step fails.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } finally {
    await client.end().catch(() => undefined)
  }
}

export type ReplicaState = { version: number; isStandby: boolean; behindSeconds: number }

const replicaSql = `SELECT market_version AS version, pg_is_in_recovery() AS "isStandby",
  CASE WHEN pg_last_wal_receive_lsn() IS DISTINCT FROM pg_last_wal_replay_lsn()
    THEN coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0) ELSE 0 END::float8 AS "behindSeconds"
  FROM service_state`

/** Returns the market version of a replica and its lag; undefined if it has no version. */
export async function readReplicaState(tx: Transaction): Promise<ReplicaState | undefined> {
  return (await tx.query<ReplicaState>(replicaSql)).rows[0]
}

/**
 * Writes 256 KB to the database's disk as a temporary file, which is removed immediately. Needs no table, writes no WAL, and fails like an insert when the disk
 * is full.
 */
const writeSql = `WITH spilled AS MATERIALIZED (SELECT repeat(md5(i::text), 32) AS line FROM generate_series(1, 256) i)
  SELECT sum(length(line)) AS bytes, current_setting('transaction_read_only') = 'on' AS "isReadOnly" FROM spilled`

/** Writes a temporary file. Returns false if the database is read-only. @throws the error of a write that failed */
export function probeWrite(db: Database): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await tx.query("SET LOCAL work_mem = '64kB'")
    const { rows } = await tx.query<{ isReadOnly: boolean }>(writeSql)
    return rows[0]?.isReadOnly === false
  })
}

/** A session's limits in milliseconds, its isolation level and its role. */
export type SessionSettings = { statement: number; idle: number; isolation: string; role: string }

const settingsSql = `SELECT (SELECT setting::int FROM pg_settings WHERE name = 'statement_timeout') AS statement,
  (SELECT setting::int FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout') AS idle,
  current_setting('default_transaction_isolation') AS isolation, current_user AS role`

/** Returns the settings of the pool's sessions. */
export async function readSessionSettings(pool: Pool): Promise<SessionSettings | undefined> {
  return (await pool.query<SessionSettings>(settingsSql)).rows[0]
}

/** Sets the time zone of a session to UTC. */
export const setUtc = (client: Pick<Client, 'query'>): Promise<unknown> => client.query("SET TIME ZONE 'UTC'")

export type ClusterState = { isCitus: boolean; isCoordinator: boolean; workers: number; isDistributed: boolean }

/** Returns whether the server is the coordinator of a Citus cluster, and its workers that accept shards. */
export async function readClusterState(client: Session): Promise<ClusterState> {
  const { rows } = await client.query<ClusterState>(
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS "isCitus", false AS "isCoordinator", 0 AS workers, is_distributed() AS "isDistributed"`,
  )
  const [state] = rows
  if (state === undefined) throw new Error('The database did not return the state of the cluster.')
  if (!state.isCitus) return state
  const { rows: nodes } = await client.query<Pick<ClusterState, 'isCoordinator' | 'workers'>>(
    `SELECT citus_is_coordinator() AS "isCoordinator",
       (SELECT count(*) FROM pg_dist_node WHERE shouldhaveshards AND isactive AND noderole = 'primary' AND groupid <> 0)::int AS workers`,
  )
  return { ...state, ...nodes[0] }
}

/** Thrown if the database is a worker of a Citus cluster. */
export class WorkerError extends Error {
  override name = 'WorkerError'
}

/** @throws WorkerError if the server is a worker of a Citus cluster, which has only some of the tables */
export async function refuseWorker(database: Queryable): Promise<void> {
  const { rows } = await database.query<{ isCitus: boolean }>('SELECT to_regproc(\'citus_is_coordinator\') IS NOT NULL AS "isCitus"')
  if (rows[0]?.isCitus !== true) return
  const { rows: nodes } = await database.query<{ isCoordinator: boolean }>('SELECT citus_is_coordinator() AS "isCoordinator"')
  if (nodes[0]?.isCoordinator !== true) throw new WorkerError("The database is a worker of a Citus cluster. Set DATABASE_URL to the cluster's coordinator.")
}

/** Returns true if the charging tables are distributed across the workers of a Citus cluster. */
export async function isDistributed(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ isDistributed: boolean }>('SELECT is_distributed() AS "isDistributed"')
  return rows[0]?.isDistributed === true
}

type Session = Pick<Client, 'query'>

/** Creates empty copies of the partitions of the request log, distributed across the workers. Returns the names of the partitions. */
export async function makeLogCopies(client: Session, shards: number): Promise<string[]> {
  await client.query('SET statement_timeout = 0')
  const { rows } = await client.query<{ name: string }>('SELECT make_log_copies($1) AS name', [shards])
  return rows.map(({ name }) => name)
}

/** Copies the rows of a request log partition that haven't been copied yet. Returns the number of rows copied. */
export async function copyLog(client: Session, partition: string): Promise<number> {
  const { rows } = await client.query<{ rows: string | null }>('SELECT copy_log($1) AS rows', [partition])
  return Number(rows[0]?.rows ?? 0)
}

/** Updates the planner's statistics and the BRIN indexes of tables with copied rows. */
export async function vacuumTables(client: Session, tables: readonly string[]): Promise<void> {
  for (const table of tables) await client.query(`VACUUM (ANALYZE) ${escapeIdentifier(table)}`)
}

/** Drops the copies of the request log, and lets batches run without a check. Doesn't change tables that are already distributed. */
export async function undoPreparation(client: Session): Promise<void> {
  await client.query('SET statement_timeout = 0; SET lock_timeout = 0')
  await client.query('SELECT drop_log_copies(), guard_admission(false) WHERE NOT is_distributed()')
  await client.query('SELECT pg_advisory_unlock_all()')
}

/** Returns the number of rows that are copied while calls wait, which excludes the request log. Estimated, because counting would take as long as copying. */
export async function estimateRows(client: Session): Promise<number> {
  const { rows } = await client.query<{ rows: number }>(
    `SELECT coalesce(sum(greatest(c.reltuples, pg_stat_get_live_tuples(c.oid))), 0)::float8 AS rows
     FROM pg_class c WHERE c.oid IN ('wallet'::regclass, 'key_meter'::regclass, 'ledger_entry'::regclass, 'idempotency'::regclass, 'dropped_charge'::regclass)`,
  )
  return rows[0]?.rows ?? 0
}

type Holder = { place: string; name: string }

const transactionsSql = `SELECT l.virtualtransaction AS place, a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE l.locktype = 'virtualxid' AND l.granted AND a.datname = current_database() AND a.pid <> pg_backend_pid()
    AND coalesce(a.backend_type, 'client backend') = 'client backend'`

/**
 * Makes batches check whether the tables are being distributed. Returns a function that returns the name of a session with a transaction that began earlier and
 * may contain a batch without the check; null if there are none left.
 */
export async function guardAdmission(client: Session): Promise<() => Promise<string | null>> {
  await client.query('SELECT guard_admission(true)')
  const { rows: before } = await client.query<Holder>(transactionsSql)
  const places = new Set(before.map(({ place }) => place))
  return async () => {
    const { rows } = await client.query<Holder>(transactionsSql)
    return rows.find(({ place }) => places.has(place))?.name ?? null
  }
}

/** Refuses batches from now on, until the session ends or `undoPreparation` is called. Waits for batches that are running. */
export async function refuseBatches(client: Session, timeoutMs: number): Promise<void> {
  await client.query(`SET lock_timeout = ${Math.round(timeoutMs)}; SELECT pg_advisory_lock(726002); SET lock_timeout = 0`)
}

/** Distributes the charging tables in one transaction, or refreshes the functions on their shards. Returns the number of shards. */
export async function distributeCharges(client: Session, shards: number, timeoutMs: number): Promise<number> {
  await client.query(`SET statement_timeout = ${Math.round(timeoutMs)}`)
  const { rows } = await client.query<{ shards: number }>('SELECT distribute_charges($1) AS shards', [shards])
  await client.query('SET statement_timeout = 0; SELECT pg_advisory_unlock_all()')
  return rows[0]?.shards ?? 0
}

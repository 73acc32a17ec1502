/** Reads all tables as of one point in time. Prisma has no COPY, no access to the catalogue, and knows only the tables of this release. */
import type { Readable } from 'node:stream'
import type { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { verifyLedgerWithin } from '#server/billing/ledger.ts'
import { isDistributed } from '#server/db/database-probes.sql.ts'
import { getPending, type HistoryRow, readHistory, readMigrations, refuseHalfRestore } from '#server/db/migrations.sql.ts'
import { BackupError, type BackupTable, formatNumber, type Head } from './backup-format.ts'

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

type TableRow = Pick<BackupTable, 'name' | 'columns' | 'partitions'>

const tablesSql = `SELECT c.relname::text AS name,
    (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('name', p.relname, 'bound', pg_get_expr(p.relpartbound, p.oid)) ORDER BY p.relname), '[]')
      FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid WHERE i.inhparent = c.oid) AS partitions
  FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> '_prisma_migrations'
    AND c.relname NOT IN ('log_copy', 'shard_plan') AND c.relname !~ '^request_log_.*_copy$'
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY c.relname COLLATE "C"`

/** Lists the service's tables with their columns and partitions, by name. Excludes the migrations table, and copies that `svc cluster distribute` makes. */
export async function readTables(client: Client): Promise<TableRow[]> {
  return (await client.query<TableRow>(tablesSql)).rows
}

/** Session settings that make COPY produce the same bytes for the same rows, regardless of the settings of the server or role. */
export const writeAlike = `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = '30s';
  SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL IntervalStyle = 'postgres'; SET LOCAL extra_float_digits = 1;
  SET LOCAL bytea_output = 'hex'; SET LOCAL client_encoding = 'UTF8'; SET LOCAL synchronize_seqscans = off; SET LOCAL max_parallel_workers_per_gather = 0`

/** Progress of the usage roll-up and the balance alerts through the request log, as transaction ids. */
type Places = { readonly usage: bigint; readonly alerts: bigint }

/** Tables whose rows are excluded, with the reason. A restore must not reactivate anything that has ended since the backup. */
const leftOut: Readonly<Record<string, string>> = {
  portal_session: 'Sessions: users who signed out after the backup would be signed in again. Everyone has to sign in again.',
  view_as: 'View-as sessions: they belong to the excluded sessions.',
  email_token: 'Email links: links used after the backup would work again. Users have to request new ones.',
}

/** Additional tables excluded from a backup without the request log. The log's charges are kept: they are added to the totals of days already dropped. */
const leftOutWithLog: Readonly<Record<string, string>> = {
  request_log: 'Excluded on request. Charges are in dropped_charge, usage in usage_day.',
  request_detail: 'Excluded on request: the stored details of individual requests.',
}

/** Queries that replace three tables in a backup without the request log, so that the ledger still balances and every request is counted once. */
const readWithoutLog = ({ usage }: Places): Readonly<Record<string, string>> => ({
  dropped_charge: `(SELECT account_id, sum(credits)::bigint AS credits
    FROM (SELECT account_id, credits FROM dropped_charge UNION ALL SELECT account_id, credits FROM request_log WHERE credits > 0) c
    GROUP BY account_id ORDER BY account_id) kept`,
  usage_day: `(SELECT account_id, day, key_id, endpoint, status, sum(requests)::bigint AS requests, sum(credits)::bigint AS credits
    FROM (SELECT account_id, day, key_id, endpoint, status, requests, credits FROM usage_day
      UNION ALL SELECT account_id, (at AT TIME ZONE 'UTC')::date, key_id, endpoint, status, 1, credits FROM request_log WHERE tx >= ${usage}) u
    GROUP BY account_id, day, key_id, endpoint, status ORDER BY account_id, day, key_id, endpoint, status) added`,
  usage_hour: `(SELECT account_id, hour, key_id, endpoint, status, bucket, sum(requests)::bigint AS requests, sum(credits)::bigint AS credits
    FROM (SELECT account_id, hour, key_id, endpoint, status, bucket, requests, credits FROM usage_hour
      UNION ALL SELECT account_id, date_trunc('hour', at, 'UTC'), key_id, endpoint, status, duration_bucket(duration_ms(id, at)), 1, credits
        FROM request_log WHERE tx >= ${usage}) u
    GROUP BY account_id, hour, key_id, endpoint, status, bucket ORDER BY account_id, hour, key_id, endpoint, status, bucket) added`,
})

/**
 * Columns whose values are only meaningful in the original database, and the expressions that replace them in the backup. Transaction ids aren't portable: on
 * another server, a log row could seem to be in the future or be counted twice. All that matters is how many of the two log readers (usage roll-up and balance
 * alerts) have yet to process a row, so that number (0, 1 or 2) is written instead. It is never a real transaction id. Versions invalidate the caches of
 * running processes; a restore sets new ones.
 */
export function writtenAs({ usage, alerts }: Places): Readonly<Record<string, string>> {
  const [first, second] = usage <= alerts ? [usage, alerts] : [alerts, usage]
  return {
    'request_log.tx': `((tx >= ${first})::int + (tx >= ${second})::int)`,
    'usage_progress.next_tx': usage <= alerts ? '1' : '2',
    'alert_progress.next_tx': usage <= alerts ? '2' : '1',
    'service_state.version': '1',
    'service_state.market_version': '1',
    // A restored database is a copy. It is marked as serving production only when the service starts on it in production; until then, it may be used for
    // development.
    'service_state.serves_production': 'false',
  }
}

/** Snapshot of the database, valid while its transaction is open. */
export type Moment = { readonly head: Head; readonly copy: (table: BackupTable) => Readable }

type StateRow = { moment: Date; postgres: string; service: number; market: number; usage: string; alerts: string }

const stateSql = `SELECT clock_timestamp() AS moment, current_setting('server_version') AS postgres, s.version AS service, s.market_version AS market,
    u.next_tx::text AS usage, a.next_tx::text AS alerts
  FROM service_state s, usage_progress u, alert_progress a`

async function readState(client: Client): Promise<StateRow> {
  const state = (await client.query<StateRow>(stateSql)).rows[0]
  if (state === undefined) throw new BackupError('Table service_state, usage_progress or alert_progress is empty: this database is incomplete.')
  return state
}

/** Reads the last values of all sequences that have been used. They may be ahead of the snapshot, but never behind it. */
async function readSequences(client: Client): Promise<Head['sequences']> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `SELECT sequencename::text AS name, last_value::text AS last FROM pg_sequences
     WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY sequencename COLLATE "C"`,
  )
  return rows
}

async function readLedger(client: Client): Promise<Head['ledger']> {
  const { accounts, differences } = await verifyLedgerWithin(client)
  const { rows } = await client.query<{ sum: string }>('SELECT coalesce(sum(balance), 0)::text AS sum FROM wallet')
  return { accounts, balanceCredits: rows[0]?.sum ?? '0', differences: differences.length }
}

function createCopy(client: Client, places: Places, withLog: boolean): Moment['copy'] {
  const instead = writtenAs(places)
  const sources = withLog ? {} : readWithoutLog(places)
  return ({ name, columns }) => {
    const values = columns.map((column) =>
      instead[`${name}.${column}`] === undefined ? quoted(column) : `${instead[`${name}.${column}`]} AS ${quoted(column)}`,
    )
    return client.query(copyTo(`COPY (SELECT ${values.join(', ')} FROM ${sources[name] ?? quoted(name)}) TO STDOUT`))
  }
}

/** Requires all migrations of this release. An older database has to be backed up by its own release. */
async function checkMigrated(history: HistoryRow[]): Promise<void> {
  if (history.length === 0) throw new BackupError('Nothing to back up: the service has no tables in this database.')
  const [missing] = getPending(await readMigrations(), history)
  if (missing !== undefined)
    throw new BackupError(`This database is from an older release: migration ${missing} is missing. Create the backup with the release that runs on it.`)
}

/** @throws BackupError on a Citus cluster, because a snapshot of its coordinator isn't a snapshot of its workers */
async function refuseCluster(client: Client): Promise<void> {
  if (await isDistributed(client))
    throw new BackupError(
      'This database is a Citus cluster, which cannot be backed up with this command. Back up every node and use cluster-wide restore points: docs/backup.md, "A Citus cluster".',
    )
}

async function readBackupTables(client: Client, withLog: boolean): Promise<BackupTable[]> {
  const out = withLog ? leftOut : { ...leftOut, ...leftOutWithLog }
  return (await readTables(client)).map((table) => {
    const reason = out[table.name] ?? null
    return { ...table, partitions: reason === null ? table.partitions : [], leftOut: reason }
  })
}

/**
 * Opens a snapshot in a repeatable read transaction, without blocking writers. Locks all tables first, so that no table or partition is dropped before it is
 * read.
 */
export async function openMoment(client: Client, service: string, withLog: boolean): Promise<Moment> {
  await refuseHalfRestore(client)
  const history = (await readHistory(client)).filter(({ finished }) => finished)
  await checkMigrated(history)
  await refuseCluster(client)
  const names = (await readTables(client)).map(({ name }) => quoted(name))
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await client.query(writeAlike)
  await client.query(`LOCK TABLE ${names.join(', ')} IN ACCESS SHARE MODE`)
  const { moment, postgres, service: version, market, usage, alerts } = await readState(client)
  const head: Head = {
    format: formatNumber,
    service,
    moment: moment.toISOString(),
    postgres,
    migrations: history.map(({ name, checksum }) => ({ name, checksum })),
    tables: await readBackupTables(client, withLog),
    sequences: await readSequences(client),
    versions: { service: version, market },
    ledger: await readLedger(client),
  }
  return { head, copy: createCopy(client, { usage: BigInt(usage), alerts: BigInt(alerts) }, withLog) }
}

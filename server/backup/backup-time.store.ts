import type { Readable } from 'node:stream'
import type { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { verifyLedgerWithin } from '#server/billing/ledger.ts'
import { refuseHalfRestore } from '#server/db/half-restore.ts'
import { getPending, type HistoryRow, readHistory, readMigrations } from '#server/db/migrations.ts'
import { BackupError, type BackupTable, formatNumber, type Head } from './backup-format.ts'
import { quoted, readTables, writeAlike } from './database.store.ts'
import { leftOut, leftOutWithLog, type Places, readWithoutLog, writtenAs } from './written-as.ts'

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

/** Reads the last values of all sequences that have been used. A value can be ahead of the snapshot, but never behind it. */
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
  if (history.length === 0) throw new BackupError('Nothing to back up: this database has no tables of the service.')
  const [missing] = getPending(await readMigrations(), history)
  if (missing !== undefined)
    throw new BackupError(`This database is from an older release: migration ${missing} is missing. Create the backup with the release that runs on it.`)
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

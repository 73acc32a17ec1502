/** Loads a backup into an empty database. Prisma has no COPY, and can't drop or restore constraints and triggers. */
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { clearHalf, halfRestore, markHalf, whatStands } from '#server/db/migrations.sql.ts'
import { BackupError, type BackupTable, type Manifest } from './backup-format.ts'
import { quoted, readTables, writeAlike } from './backup-snapshot.sql.ts'
import type { RowsPart } from './read-backup.ts'

type Rule = { readonly table: string; readonly name: string; readonly definition: string }

const foreignKeysSql = `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
  WHERE contype = 'f' AND conparentid = 0 AND connamespace = current_schema()::regnamespace ORDER BY conrelid, conname`

const triggersSql = `SELECT t.tgrelid::regclass::text AS table, quote_ident(t.tgname) AS name, '' AS definition FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND t.tgenabled = 'O' AND c.relnamespace = current_schema()::regnamespace ORDER BY 1, 2`

/**
 * Drops the foreign keys, because tables are loaded in alphabetical order, and disables the triggers, whose effects are already in the rows. Needs only
 * ownership of the tables. Returns a function that restores the keys and triggers, validating every key.
 */
async function dropRules(client: Client): Promise<() => Promise<void>> {
  const keys = (await client.query<Rule>(foreignKeysSql)).rows
  const triggers = (await client.query<Rule>(triggersSql)).rows
  for (const { table, name } of keys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
  for (const { table, name } of triggers) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ${name}`)
  return async () => {
    for (const { table, name, definition } of keys) await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
    for (const { table, name } of triggers) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER ${name}`)
  }
}

/** Expected form of partition bounds. Any other form is rejected, because bounds from the file become part of a statement. */
const partitionBound = /^FOR VALUES FROM \('[0-9a-zA-Z:. +-]{1,64}'\) TO \('[0-9a-zA-Z:. +-]{1,64}'\)$/
const partitionName = /^[a-z][a-z0-9_]{0,62}$/

async function makePartitions(client: Client, { name, partitions }: BackupTable, present: BackupTable['partitions']): Promise<void> {
  const known = new Set(present.map((partition) => partition.name))
  for (const partition of partitions.filter((one) => !known.has(one.name))) {
    if (!partitionBound.test(partition.bound) || !partitionName.test(partition.name))
      throw new BackupError(`Partition ${partition.name} of ${name} in the backup has an unexpected definition. Use another backup.`)
    await client.query(`CREATE TABLE ${quoted(partition.name)} PARTITION OF ${quoted(name)} ${partition.bound}`)
  }
}

/**
 * Creates missing partitions and empties the tables. This database has the same migrations as the backup, and therefore the same tables, unless someone changed
 * the backed-up database manually.
 */
async function prepareTables(client: Client, { tables }: Manifest): Promise<void> {
  const here = new Map((await readTables(client)).map((table) => [table.name, table]))
  for (const table of tables) {
    const own = here.get(table.name)
    const unknown = own ? table.columns.find((column) => !own.columns.includes(column)) : null
    if (own === undefined || unknown !== undefined) {
      throw new BackupError(
        `The backup contains ${table.name}${unknown ? ` with a column ${unknown}` : ''}, which its migrations don't create: the original database was changed by hand. Use a backup made before that change.`,
      )
    }
    await makePartitions(client, table, own.partitions)
  }
  // Empty the tables, because migrations insert rows that the backup also contains.
  await client.query(`TRUNCATE ${[...here.keys()].map(quoted).join(', ')}`)
}

/** Loads rows with one COPY per table. Parts of the same table follow each other. */
async function loadRows(client: Client, tables: readonly BackupTable[], parts: AsyncIterable<RowsPart>): Promise<void> {
  const columns = new Map(tables.map((table) => [table.name, table.columns.map(quoted).join(', ')]))
  const iterator = parts[Symbol.asyncIterator]()
  let next = await iterator.next()
  const bodiesOf = async function* (table: string) {
    for (; !next.done && next.value.table === table; next = await iterator.next()) yield next.value.body
  }
  try {
    while (!next.done) {
      const { table } = next.value
      await pipeline(bodiesOf(table), client.query(copyFrom(`COPY ${quoted(table)} (${columns.get(table) ?? ''}) FROM STDIN`)))
    }
  } finally {
    await iterator.return?.()
  }
}

async function compareCounts(client: Client, { tables, sums }: Manifest): Promise<void> {
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${quoted(name)}`)
    if (Number(rows[0]?.count) !== sums[name]?.rows)
      throw new BackupError(`Table ${name} has ${rows[0]?.count} rows after loading, but the backup contains ${sums[name]?.rows}.`)
  }
}

/**
 * Sets each version to the number of seconds since the start of 2026, or to the backup's version plus 1 if that is higher. The result is higher than any
 * version reached by incrementing or set by an earlier restore, so every process discards its cached data.
 */
const raiseVersions = `UPDATE service_state SET version = greatest($1::int + 1, seconds), market_version = greatest($2::int + 1, seconds)
  FROM (SELECT floor(extract(epoch FROM clock_timestamp() - timestamptz '2026-01-01T00:00:00Z'))::int AS seconds) now`

const deadlock = '40P01'
const maxAttempts = 5

/**
 * Starts the transaction and empties the tables. Returns a function that restores foreign keys and triggers. Retries on deadlocks with processes that are still
 * running.
 */
async function begin(client: Client, manifest: Manifest, attempt = 1): Promise<() => Promise<void>> {
  try {
    await client.query('BEGIN')
    await client.query(writeAlike)
    const restoreRules = await dropRules(client)
    await prepareTables(client, manifest)
    return restoreRules
  } catch (error) {
    if ((error as { code?: string }).code !== deadlock || attempt === maxAttempts) throw error
    await client.query('ROLLBACK')
    return begin(client, manifest, attempt + 1)
  }
}

/** Loads rows, sequences and versions in one transaction. If `parts` throws because the backup is damaged, nothing is loaded. */
export async function loadTables(client: Client, manifest: Manifest, parts: AsyncIterable<RowsPart>): Promise<void> {
  const restoreRules = await begin(client, manifest)
  await loadRows(client, manifest.tables, parts)
  await restoreRules()
  for (const { name, last } of manifest.sequences) await client.query('SELECT setval(to_regclass($1), $2)', [quoted(name), last])
  await compareCounts(client, manifest)
  await client.query(raiseVersions, [manifest.versions.service, manifest.versions.market])
  await client.query('COMMIT')
  // Without statistics the planner would assume empty tables.
  await client.query('ANALYZE')
}

/** Key of the advisory lock. Arbitrary, but must be the same in every release. */
const lockKey = 7_317_202_403
const shownNames = 3

/** Checks that the database is a valid target: empty, or an incomplete restore. Returns the backup file of the incomplete restore, or null. Changes nothing. */
export async function lookAtTarget(client: Client): Promise<{ halfOf: string | null }> {
  const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [lockKey])
  if (rows[0]?.mine !== true) throw new BackupError('Another restore into this database is running.')
  const half = await halfRestore(client)
  if (half !== null) return { halfOf: half.file }
  const names = await whatStands(client)
  if (names.length === 0) return { halfOf: null }
  const shown = `${names.slice(0, shownNames).join(', ')}${names.length > shownNames ? ' …' : ''}`
  throw new BackupError(`The database is not empty (${shown}). Restore only into a new database or data folder. Nothing was changed.`)
}

/** Marks the database as an incomplete restore and removes the remains of an earlier one. */
export async function claimTarget(client: Client, file: string): Promise<void> {
  const half = await halfRestore(client)
  await markHalf(client, file)
  if (half !== null) await clearHalf(client)
}

/**
 * Turns off automatic top-ups, notifying their owners, and removes saved cards. The restored data lacks every change since the backup, so an automatic top-up
 * could exceed a spending limit or charge a card that its owner has removed. Returns the number of automatic top-ups turned off.
 */
export async function endCharges(client: Client): Promise<number> {
  const { rowCount } = await client.query(
    `WITH off AS (UPDATE auto_top_up SET is_on = false, off_reason = 'The service was restored from a backup.' WHERE is_on RETURNING account_id),
       forgotten AS (UPDATE payment_customer SET payment_method_id = NULL, card_brand = NULL, card_last4 = NULL, card_expires = NULL WHERE payment_method_id IS NOT NULL)
     INSERT INTO billing_notice (account_id, kind, data) SELECT account_id, 'auto_top_up.stopped', '{"cause": "restore"}' FROM off`,
  )
  return rowCount ?? 0
}

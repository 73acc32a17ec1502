import { DatabaseError, type Pool, type PoolClient } from 'pg'
import { inTransaction } from '../../db/transaction.ts'
import type { Dataset } from '../dataset.ts'
import type { FeedKind } from './feed-kind.ts'
import { addRows, changeRows, countDiff, createDiff, createFeed, fillDiff, fillFeed, unknownProviders, withdrawRows } from './feed-sql.ts'
import type { FeedTable } from './feed-table.ts'
import { feedTables } from './feed-tables.ts'
import type { FeedRecord } from './validate-feed.ts'

/** What an import did to a row. `checked`: only the time of its last check moved. */
export type Change = 'added' | 'changed' | 'restored' | 'withdrawn' | 'checked'

export type ChangeCounts = Readonly<Record<Change, number>>

export type FeedToApply = {
  readonly dataset: Dataset
  readonly kind: FeedKind
  readonly records: readonly FeedRecord[]
  readonly fileName: string
  readonly sha256: string
  readonly dryRun: boolean
  /** Whether rows that the feed does not name stay as they are. */
  readonly partial: boolean
  /** Whether it comes with this release, not from an operator. */
  readonly isSeed: boolean
}

export type Applied =
  | { readonly applied: true; readonly counts: ChangeCounts; readonly marketVersion: number }
  | { readonly applied: false; readonly unknown: readonly { line: number; slug: string }[]; readonly slugs: readonly string[] }

/** Rows handed over in one statement: enough to make the round trip not matter, small enough to bound the memory for its text. */
const batchRows = 5000

/** What PostgreSQL says when a lock was not had in time. */
const lockNotAvailable = '55P03'

/** Identifies the advisory lock that lets imports in one at a time. */
const importLock = [20_261, 2]

async function stageFeed(client: PoolClient, table: FeedTable, records: readonly FeedRecord[]): Promise<void> {
  await client.query(createFeed(table))
  const fields = Object.values(table.columns).map(({ field }) => field)
  const text = fillFeed(table)
  for (let start = 0; start < records.length; start += batchRows) {
    const batch = records.slice(start, start + batchRows)
    await client.query(text, [batch.map(({ line }) => line), ...fields.map((field) => batch.map(({ values }) => values[field] ?? null))])
  }
  // A fresh temporary table has no statistics. The key's are what the joins are planned by; those of every column would cost ten times as much.
  await client.query(`ANALYZE market_feed (${table.key})`)
}

async function findUnknown(client: PoolClient, table: FeedTable, dataset: Dataset): Promise<Extract<Applied, { applied: false }> | undefined> {
  if (table.reference === null) return undefined
  const { rows: unknown } = await client.query<{ line: number; slug: string }>(unknownProviders(table.reference), [dataset])
  if (unknown.length === 0) return undefined
  const { rows } = await client.query<{ slug: string }>('SELECT slug FROM provider WHERE dataset = $1 ORDER BY slug', [dataset])
  return { applied: false, unknown, slugs: rows.map(({ slug }) => slug) }
}

async function compare(client: PoolClient, table: FeedTable, feed: FeedToApply): Promise<ChangeCounts> {
  await client.query(createDiff)
  await client.query(fillDiff(table), [feed.dataset, !feed.partial])
  const { rows } = await client.query<{ change: Change; rows: number }>(countDiff)
  const found = Object.fromEntries(rows.map(({ change, rows: count }) => [change, count])) as Partial<Record<Change, number>>
  return { added: 0, changed: 0, restored: 0, withdrawn: 0, checked: 0, ...found }
}

async function writeChanges(client: PoolClient, table: FeedTable, feed: FeedToApply, counts: ChangeCounts): Promise<void> {
  const { rows } = await client.query<{ at: Date }>('SELECT clock_timestamp()::timestamptz(3) AS at')
  const values = [feed.dataset, rows[0]?.at]
  if (counts.added > 0) await client.query(addRows(table), values)
  if (counts.changed + counts.restored + counts.checked > 0) await client.query(changeRows(table), values)
  if (counts.withdrawn > 0) await client.query(withdrawRows(table), values)
}

async function recordImport(client: PoolClient, feed: FeedToApply, counts: ChangeCounts): Promise<void> {
  await client.query(
    `INSERT INTO market_import (dataset, kind, file_name, sha256, rows, added, changed, withdrawn, is_seed, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp())`,
    [feed.dataset, feed.kind, feed.fileName, feed.sha256, feed.records.length, counts.added, counts.changed + counts.restored, counts.withdrawn, feed.isSeed],
  )
}

/** Tells every process that the market changed. Last of all, because the row is one that every batch of calls looks at. */
async function bumpVersion(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ market_version: number }>(
    'UPDATE service_state SET version = version + 1, market_version = market_version + 1 WHERE id = 1 RETURNING market_version',
  )
  const version = rows[0]?.market_version
  if (version === undefined) throw new Error('service_state has no row: the migrations are incomplete.')
  return version
}

async function currentVersion(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ market_version: number }>('SELECT market_version FROM service_state WHERE id = 1')
  return rows[0]?.market_version ?? 0
}

/** Waits for an import that is under way, but not for ever: each would compare with what the other is about to change. */
async function waitForTurn(client: PoolClient): Promise<void> {
  await client.query("SET LOCAL lock_timeout = '60s'")
  await client.query('SELECT pg_advisory_xact_lock($1, $2)', importLock).catch((fault: unknown) => {
    if (!(fault instanceof DatabaseError) || fault.code !== lockNotAvailable) throw fault
    throw new Error('Another market import has been under way for a minute. Try again when it has ended.', { cause: fault })
  })
}

async function applyInside(client: PoolClient, feed: FeedToApply): Promise<Applied> {
  const table = feedTables[feed.kind]
  await stageFeed(client, table, feed.records)
  const unknown = await findUnknown(client, table, feed.dataset)
  if (unknown) return unknown
  const counts = await compare(client, table, feed)
  const hasChanges = Object.values(counts).some((count) => count > 0)
  if (hasChanges) await writeChanges(client, table, feed, counts)
  await recordImport(client, feed, counts)
  return { applied: true, counts, marketVersion: hasChanges ? await bumpVersion(client) : await currentVersion(client) }
}

/**
 * Brings a feed into its table in one transaction: compared as a whole, written as a whole or not at all. A dry run does all of it and rolls
 * back, so its counts are those that the real import would give.
 */
export async function applyFeed(pool: Pool, feed: FeedToApply): Promise<Applied> {
  return await inTransaction(pool, async (client) => {
    await waitForTurn(client)
    await client.query('SAVEPOINT before_feed')
    const result = await applyInside(client, feed)
    if (feed.dryRun) await client.query('ROLLBACK TO SAVEPOINT before_feed')
    return result
  })
}

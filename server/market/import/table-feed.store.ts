import type { PoolClient } from 'pg'
import { layCorrections, withdrawCorrected } from '../corrections/overlay.store.ts'
import type { Dataset } from '../dataset.ts'
import { FaultList } from './feed-error.ts'
import type { TableKind } from './feed-kind.ts'
import { addRows, changedRows, changeRows, countDiff, countListed, createDiff, fillDiff, unknownProviders, withdrawRows } from './feed-sql.ts'
import type { FeedTable } from './feed-table.ts'
import { feedTables } from './feed-tables.ts'
import { reasonsToStop } from './guard.ts'
import { countMoves, createMoves, fillMoves, type ServingKind, tellOffers, writeMoves } from './history-sql.ts'
import { type ChangeCounts, type ChangeKind, fieldChanges, type RowChange, type StoredRow } from './row-change.ts'
import { refuseProviders } from './unknown-providers.ts'

/** A feed that stands in `market_feed`. */
export type StagedFeed = {
  readonly dataset: Dataset
  readonly fileName: string
  /** Whether rows that the feed does not name stay as they are. */
  readonly partial: boolean
  /** Whether it comes with this release, not from an operator. */
  readonly isSeed: boolean
  /** Whether it changes the market without anybody being told. */
  readonly isQuiet: boolean
}

/** What a feed came to. */
export type Outcome = {
  readonly counts: ChangeCounts
  /** The first rows of each kind of change. */
  readonly changes: readonly RowChange[]
  /** Rows of history that gave way to a feed of past changes, or were put right by it. */
  readonly replaced: number
  /** Reasons to ask before it is applied. */
  readonly reasons: readonly string[]
}

/** Rows of each kind of change that are told one by one. */
export const rowsTold = 20

export const noChanges: ChangeCounts = { added: 0, changed: 0, restored: 0, withdrawn: 0, checked: 0 }

/** The moment of an import. One that changes something gets it from the database, whose clock all others are measured by. */
export async function momentOf(client: PoolClient): Promise<Date> {
  const { rows } = await client.query<{ at: Date }>('SELECT clock_timestamp()::timestamptz(3) AS at')
  const at = rows[0]?.at
  if (at === undefined) throw new Error('The database did not tell the time.')
  return at
}

export async function providerSlugs(client: PoolClient, dataset: Dataset): Promise<string[]> {
  const { rows } = await client.query<{ slug: string }>('SELECT slug FROM provider WHERE dataset = $1 ORDER BY slug', [dataset])
  return rows.map(({ slug }) => slug)
}

async function checkProviders(client: PoolClient, column: string, { dataset, fileName }: StagedFeed): Promise<void> {
  const { rows: unknown } = await client.query<{ line: number; slug: string }>(unknownProviders(column), [dataset])
  if (unknown.length === 0) return
  const faults = new FaultList()
  refuseProviders(faults, unknown, await providerSlugs(client, dataset))
  faults.throwIfAny(fileName)
}

async function compare(client: PoolClient, table: FeedTable, feed: StagedFeed): Promise<ChangeCounts> {
  await client.query(createDiff)
  await client.query(fillDiff(table), [feed.dataset, !feed.partial])
  if (table === feedTables.product) await withdrawCorrected(client, feed.dataset)
  const { rows } = await client.query<{ change: ChangeKind; rows: number }>(countDiff)
  return { ...noChanges, ...Object.fromEntries(rows.map(({ change, rows: count }) => [change, count])) }
}

type ChangedRow = { readonly key: string; readonly change: ChangeKind; readonly before: StoredRow | null; readonly after: StoredRow | null }

async function firstChanges(client: PoolClient, table: FeedTable, { dataset }: StagedFeed): Promise<RowChange[]> {
  const { rows } = await client.query<ChangedRow>(changedRows(table), [dataset, rowsTold])
  const checked = table.checked?.column
  return rows.map(({ key, change, before, after }) => {
    const fields = before && after ? fieldChanges(table.columns, before, after, change === 'checked' ? undefined : checked) : []
    return { change, key, fields }
  })
}

async function listedRows(client: PoolClient, table: FeedTable, dataset: Dataset): Promise<number> {
  const { rows } = await client.query<{ listed: number }>(countListed(table), [dataset])
  return rows[0]?.listed ?? 0
}

async function writeRows(client: PoolClient, table: FeedTable, counts: ChangeCounts, values: readonly unknown[]): Promise<void> {
  if (counts.added > 0) await client.query(addRows(table), [...values])
  if (counts.changed + counts.restored + counts.checked > 0) await client.query(changeRows(table), [...values])
  if (counts.withdrawn > 0) await client.query(withdrawRows(table), [...values])
}

/** What the guard calls the rows of a kind. */
const nouns: Record<TableKind, string> = {
  provider: 'providers',
  product: 'products',
  card: 'cards',
  switch_offer: 'switch offers',
  account_offer: 'account offers',
  service_quality: 'surveys',
}

const nothingMoved = { withdrawn: 0, changed: 0 }

/** Brings history in line with what is now served. */
async function writeHistory(client: PoolClient, kind: TableKind, { isQuiet }: StagedFeed, values: readonly unknown[]): Promise<typeof nothingMoved> {
  if (kind === 'switch_offer' && !isQuiet) await client.query(tellOffers, [...values])
  const serving: ServingKind | null = kind === 'product' || kind === 'provider' ? kind : null
  if (serving === null) return nothingMoved
  await client.query(createMoves)
  const { rowCount } = await client.query(fillMoves(serving), [...values])
  if (!rowCount) return nothingMoved
  const { rows } = await client.query<typeof nothingMoved>(countMoves)
  await client.query(writeMoves(isQuiet), [...values])
  return rows[0] ?? nothingMoved
}

/**
 * Brings a table in line with a feed: compared as a whole, then written, history and events with it.
 * @throws FeedError when the feed names a provider that is not there.
 */
export async function applyTableFeed(client: PoolClient, kind: TableKind, feed: StagedFeed, beforeWriting: () => void): Promise<Outcome> {
  const table: FeedTable = feedTables[kind]
  // A fresh temporary table has no statistics. The key's are what the joins are planned by; those of every column would cost ten times as much.
  await client.query(`ANALYZE market_feed (${table.key})`)
  if (table.reference !== null) await checkProviders(client, table.reference, feed)
  if (kind === 'product') await layCorrections(client, feed.dataset, !feed.partial)
  const counts = await compare(client, table, feed)
  if (Object.values(counts).every((count) => count === 0)) return { counts, changes: [], replaced: 0, reasons: [] }
  const changes = await firstChanges(client, table, feed)
  const listed = await listedRows(client, table, feed.dataset)
  const productsListed = kind === 'product' ? listed : await listedRows(client, feedTables.product, feed.dataset)
  const values = [feed.dataset, await momentOf(client)]
  beforeWriting()
  await writeRows(client, table, counts, values)
  const moved = await writeHistory(client, kind, feed, values)
  const reasons = reasonsToStop({
    noun: nouns[kind],
    listed,
    withdrawn: counts.withdrawn,
    productsListed,
    productsWithdrawn: moved.withdrawn,
    ratesChanged: moved.changed,
  })
  return { counts, changes, replaced: 0, reasons }
}

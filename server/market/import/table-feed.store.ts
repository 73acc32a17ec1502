import type { Transaction } from '#server/db/prisma.ts'
import { layCorrections, withdrawCorrected } from '../corrections/overlay.store.ts'
import type { Dataset } from '../product.ts'
import { FaultList } from './feed-faults.ts'
import type { TableKind } from './feed-kind.ts'
import { addRows, changedRows, changeRows, countDiff, countListed, createDiff, fillDiff, unknownProviders, withdrawRows } from './feed-sql.ts'
import type { FeedTable } from './feed-table.ts'
import { feedTables } from './feed-tables.ts'
import { reasonsToStop } from './guard.ts'
import { countMoves, createMoves, fillMoves, insertOfferEvents, type ServingKind, writeMoves } from './history-sql.ts'
import { type ChangeCounts, type ChangeKind, type FeedPreview, fieldChanges, type RateMove, type RowChange, type StoredRow } from './row-change.ts'
import { refuseProviders } from './staged-faults.ts'

/** Feed loaded into `market_feed`. */
export type StagedFeed = {
  readonly dataset: Dataset
  readonly fileName: string
  /** True if rows omitted by the feed stay unchanged. */
  readonly partial: boolean
  /** True if the feed ships with the release. */
  readonly isSeed: boolean
  /** True if no events are written. */
  readonly isQuiet: boolean
}

/** Result of applying a feed. */
export type Outcome = {
  readonly counts: ChangeCounts
  /** First rows of each kind of change. */
  readonly changes: readonly RowChange[]
  /** History rows replaced or corrected by a history feed. */
  readonly replaced: number
  /** Reasons to require confirmation. */
  readonly reasons: readonly string[]
}

/** Maximum rows listed per kind of change. */
export const maxListedRows = 20

export const noChanges: ChangeCounts = { added: 0, changed: 0, restored: 0, withdrawn: 0, checked: 0 }

/** Time of an import, from the database clock, which is the reference for all processes. */
export async function readImportTime(client: Transaction): Promise<Date> {
  const { rows } = await client.query<{ at: Date }>('SELECT clock_timestamp()::timestamptz(3) AS at')
  const at = rows[0]?.at
  if (at === undefined) throw new Error('The database returned no time.')
  return at
}

export async function providerSlugs(client: Transaction, dataset: Dataset): Promise<string[]> {
  const { rows } = await client.query<{ slug: string }>('SELECT slug FROM provider WHERE dataset = $1 ORDER BY slug', [dataset])
  return rows.map(({ slug }) => slug)
}

async function checkProviders(client: Transaction, column: string, { dataset, fileName }: StagedFeed): Promise<void> {
  const { rows: unknown } = await client.query<{ line: number; slug: string }>(unknownProviders(column), [dataset])
  if (unknown.length === 0) return
  const faults = new FaultList()
  refuseProviders(faults, unknown, await providerSlugs(client, dataset))
  faults.throwIfAny(fileName)
}

async function compare(client: Transaction, table: FeedTable, feed: StagedFeed): Promise<ChangeCounts> {
  await client.query(createDiff)
  await client.query(fillDiff(table), [feed.dataset, !feed.partial])
  if (table === feedTables.product) await withdrawCorrected(client, feed.dataset)
  const { rows } = await client.query<{ change: ChangeKind; rows: number }>(countDiff)
  return { ...noChanges, ...Object.fromEntries(rows.map(({ change, rows: count }) => [change, count])) }
}

type ChangedRow = { readonly key: string; readonly change: ChangeKind; readonly before: StoredRow | null; readonly after: StoredRow | null }

async function firstChanges(client: Transaction, table: FeedTable, { dataset }: StagedFeed): Promise<RowChange[]> {
  const { rows } = await client.query<ChangedRow>(changedRows(table), [dataset, maxListedRows])
  const checked = table.checked?.column
  return rows.map(({ key, change, before, after }) => {
    const fields = before && after ? fieldChanges(table.columns, before, after, change === 'checked' ? undefined : checked) : []
    return { change, key, fields }
  })
}

async function listedRows(client: Transaction, table: FeedTable, dataset: Dataset): Promise<number> {
  const { rows } = await client.query<{ listed: number }>(countListed(table), [dataset])
  return rows[0]?.listed ?? 0
}

async function writeRows(client: Transaction, table: FeedTable, counts: ChangeCounts, values: readonly unknown[]): Promise<void> {
  if (counts.added > 0) await client.query(addRows(table), [...values])
  if (counts.changed + counts.restored + counts.checked > 0) await client.query(changeRows(table), [...values])
  if (counts.withdrawn > 0) await client.query(withdrawRows(table), [...values])
}

/** Display names for guard messages. */
const nouns: Record<TableKind, string> = {
  provider: 'providers',
  product: 'products',
  card: 'cards',
  switch_offer: 'switch offers',
  account_offer: 'account offers',
  service_quality: 'surveys',
}

const nothingMoved = { withdrawn: 0, changed: 0 }

/** Updates history to match what is now served. */
async function writeHistory(client: Transaction, kind: TableKind, { isQuiet }: StagedFeed, values: readonly unknown[]): Promise<typeof nothingMoved> {
  if (kind === 'switch_offer' && !isQuiet) await client.query(insertOfferEvents, [...values])
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
 * Applies a feed to its table: compares everything, then writes rows, history and events.
 * @throws FeedError if the feed references an unknown provider.
 */
export async function applyTableFeed(client: Transaction, kind: TableKind, feed: StagedFeed, beforeWriting: () => void): Promise<Outcome> {
  const table: FeedTable = feedTables[kind]
  // A new temporary table has no statistics. Joins only need statistics of the key; analysing every column would take ten times as long.
  await client.query(`ANALYZE market_feed (${table.key})`)
  if (table.reference !== null) await checkProviders(client, table.reference, feed)
  if (kind === 'product') await layCorrections(client, feed.dataset, !feed.partial)
  const counts = await compare(client, table, feed)
  if (Object.values(counts).every((count) => count === 0)) return { counts, changes: [], replaced: 0, reasons: [] }
  const changes = await firstChanges(client, table, feed)
  const listed = await listedRows(client, table, feed.dataset)
  const productsListed = kind === 'product' ? listed : await listedRows(client, feedTables.product, feed.dataset)
  const values = [feed.dataset, await readImportTime(client)]
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

const maxListedMoves = 20

// The table only exists for product or provider feeds that change something.
const isMade = "SELECT to_regclass('pg_temp.market_move') IS NOT NULL AS made"

const movesSql = `SELECT source_key AS "sourceKey", now_account_name AS "accountName", was_rate_bp AS "fromBp", now_rate_bp AS "toBp" FROM market_move
  WHERE was AND now AND was_rate_bp <> now_rate_bp ORDER BY abs(now_rate_bp - was_rate_bp) DESC, source_key LIMIT ${maxListedMoves}`

/** Builds the preview of a feed in the transaction that compared it. */
export async function buildPreview(client: Transaction, { rows, counts, changes, reasons }: Outcome & { readonly rows: number }): Promise<FeedPreview> {
  const { rows: tables } = await client.query<{ made: boolean }>(isMade)
  const rateMoves = tables[0]?.made === true ? (await client.query<RateMove>(movesSql)).rows : []
  return { rows, counts, changes, rateMoves, reasons }
}

/** Stages a feed in temporary tables, compares it and merges it as a whole. Prisma has no COPY, temporary tables or set-based merges. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import type { Transaction } from '#server/db/prisma.ts'
import { forgetFeed, keepFeed, layOver, leaveOut, withdrawCorrected } from '../corrections/overlay-sql.ts'
import type { Dataset } from '../product.ts'
import { FaultList } from './feed-faults.ts'
import type { TableKind } from './feed-kind.ts'
import {
  addRows,
  changedRows,
  changeRows,
  copyFeed,
  copyText,
  countDiff,
  countListed,
  createDiff,
  createFeed,
  fillDiff,
  unknownProviders,
  withdrawRows,
} from './feed-sql.ts'
import { type FeedTable, feedTables } from './feed-tables.ts'
import { type OnProgress, reasonsToStop } from './guard.ts'
import { countMoves, createMoves, fillMoves, insertOfferEvents, type ServingKind, writeMoves } from './history-sql.ts'
import { type ChangeCounts, type ChangeKind, type FeedPreview, fieldChanges, type RateMove, type RowChange, type StoredRow } from './row-change.ts'
import { refuseProviders } from './staged-faults.ts'
import type { FeedRecord } from './validate-feed.ts'

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
export async function readImportTime(tx: Transaction): Promise<Date> {
  const { rows } = await tx.query<{ at: Date }>('SELECT clock_timestamp()::timestamptz(3) AS at')
  const at = rows[0]?.at
  if (at === undefined) throw new Error('The database returned no time.')
  return at
}

const maxProviders = 500_000

export async function providerSlugs(tx: Transaction, dataset: Dataset): Promise<string[]> {
  return (await tx.provider.findMany({ where: { dataset }, orderBy: { slug: 'asc' }, take: maxProviders, select: { slug: true } })).map(({ slug }) => slug)
}

/**
 * Copies a feed into the temporary table `market_feed` while reading it, so that only one batch is in memory. Returns the number of records. After the last
 * batch, throws if the feed has validation errors.
 */
export async function stageFeed(
  tx: Transaction,
  table: Pick<FeedTable, 'table' | 'columns'>,
  batches: AsyncIterable<readonly FeedRecord[]>,
  onProgress: OnProgress = () => undefined,
): Promise<number> {
  await tx.query(createFeed(table))
  const fields = Object.values(table.columns)
  let count = 0
  async function* rows() {
    for await (const batch of batches) {
      count += batch.length
      if (batch.length > 0) yield copyText(batch, fields)
      onProgress('reading', count)
    }
  }
  await pipeline(Readable.from(rows(), { objectMode: false }), tx.query(copyFrom(copyFeed(table.columns))))
  return count
}

/** Stages a product row, keyed by column name, as the only row of a feed. The time of its last URL check is kept. */
export async function stageProduct(tx: Transaction, row: StoredRow): Promise<void> {
  await tx.query(createFeed(feedTables.product))
  const staged = { ...row, line: 1, url_checked_at: null }
  await tx.query('INSERT INTO market_feed SELECT * FROM jsonb_populate_record(NULL::market_feed, $1)', [JSON.stringify(staged)])
}

/** Drops the temporary tables, which otherwise exist until the transaction ends. */
export async function dropFeedTables(tx: Transaction): Promise<void> {
  await tx.query(
    'DROP TABLE IF EXISTS pg_temp.market_feed, pg_temp.market_diff, pg_temp.market_move, pg_temp.market_step, pg_temp.market_standing, pg_temp.market_chain',
  )
}

/**
 * Overlays the active corrections on the products in `market_feed`, and stores the feed's own values. The diff then compares with the corrected market, so an
 * import neither undoes a correction nor writes events for it again.
 */
async function layCorrections(tx: Transaction, { dataset, partial }: StagedFeed): Promise<void> {
  if ((await tx.productCorrection.findFirst({ where: { dataset, endedAt: null }, select: { id: true } })) === null) return
  for (const statement of [keepFeed, ...(partial ? [] : [forgetFeed]), layOver, leaveOut]) await tx.query(statement, [dataset])
}

async function checkProviders(tx: Transaction, column: string, { dataset, fileName }: StagedFeed): Promise<void> {
  const { rows: unknown } = await tx.query<{ line: number; slug: string }>(unknownProviders(column), [dataset])
  if (unknown.length === 0) return
  const faults = new FaultList()
  refuseProviders(faults, unknown, await providerSlugs(tx, dataset))
  faults.throwIfAny(fileName)
}

async function compare(tx: Transaction, table: FeedTable, feed: StagedFeed): Promise<ChangeCounts> {
  await tx.query(createDiff)
  await tx.query(fillDiff(table), [feed.dataset, !feed.partial])
  if (table === feedTables.product) await tx.query(withdrawCorrected, [feed.dataset])
  const { rows } = await tx.query<{ change: ChangeKind; rows: number }>(countDiff)
  return { ...noChanges, ...Object.fromEntries(rows.map(({ change, rows: count }) => [change, count])) }
}

type ChangedRow = { readonly key: string; readonly change: ChangeKind; readonly before: StoredRow | null; readonly after: StoredRow | null }

async function firstChanges(tx: Transaction, table: FeedTable, { dataset }: StagedFeed): Promise<RowChange[]> {
  const { rows } = await tx.query<ChangedRow>(changedRows(table), [dataset, maxListedRows])
  const checked = table.checked?.column
  return rows.map(({ key, change, before, after }) => {
    const fields = before && after ? fieldChanges(table.columns, before, after, change === 'checked' ? undefined : checked) : []
    return { change, key, fields }
  })
}

async function listedRows(tx: Transaction, table: FeedTable, dataset: Dataset): Promise<number> {
  const { rows } = await tx.query<{ listed: number }>(countListed(table), [dataset])
  return rows[0]?.listed ?? 0
}

async function writeRows(tx: Transaction, table: FeedTable, counts: ChangeCounts, values: readonly unknown[]): Promise<void> {
  if (counts.added > 0) await tx.query(addRows(table), [...values])
  if (counts.changed + counts.restored + counts.checked > 0) await tx.query(changeRows(table), [...values])
  if (counts.withdrawn > 0) await tx.query(withdrawRows(table), [...values])
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
async function writeHistory(tx: Transaction, kind: TableKind, { isQuiet }: StagedFeed, values: readonly unknown[]): Promise<typeof nothingMoved> {
  if (kind === 'switch_offer' && !isQuiet) await tx.query(insertOfferEvents, [...values])
  const serving: ServingKind | null = kind === 'product' || kind === 'provider' ? kind : null
  if (serving === null) return nothingMoved
  await tx.query(createMoves)
  const { rowCount } = await tx.query(fillMoves(serving), [...values])
  if (!rowCount) return nothingMoved
  const { rows } = await tx.query<typeof nothingMoved>(countMoves)
  await tx.query(writeMoves(isQuiet), [...values])
  return rows[0] ?? nothingMoved
}

/**
 * Applies a feed to its table: compares everything, then writes rows, history and events.
 * @throws FeedError if the feed references an unknown provider.
 */
export async function applyTableFeed(tx: Transaction, kind: TableKind, feed: StagedFeed, beforeWriting: () => void): Promise<Outcome> {
  const table: FeedTable = feedTables[kind]
  // A new temporary table has no statistics. Joins only need statistics of the key; analysing every column would take ten times as long.
  await tx.query(`ANALYZE market_feed (${table.key})`)
  if (table.reference !== null) await checkProviders(tx, table.reference, feed)
  if (kind === 'product') await layCorrections(tx, feed)
  const counts = await compare(tx, table, feed)
  if (Object.values(counts).every((count) => count === 0)) return { counts, changes: [], replaced: 0, reasons: [] }
  const changes = await firstChanges(tx, table, feed)
  const listed = await listedRows(tx, table, feed.dataset)
  const productsListed = kind === 'product' ? listed : await listedRows(tx, feedTables.product, feed.dataset)
  const values = [feed.dataset, await readImportTime(tx)]
  beforeWriting()
  await writeRows(tx, table, counts, values)
  const moved = await writeHistory(tx, kind, feed, values)
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

// The table only exists if a product or provider feed changed something.
const isMade = "SELECT to_regclass('pg_temp.market_move') IS NOT NULL AS made"

const movesSql = `SELECT source_key AS "sourceKey", now_account_name AS "accountName", was_rate_bp AS "fromBp", now_rate_bp AS "toBp" FROM market_move
  WHERE was AND now AND was_rate_bp <> now_rate_bp ORDER BY abs(now_rate_bp - was_rate_bp) DESC, source_key LIMIT ${maxListedMoves}`

/** Builds the preview of a feed in the transaction that compared it. */
export async function buildPreview(tx: Transaction, { rows, counts, changes, reasons }: Outcome & { readonly rows: number }): Promise<FeedPreview> {
  const { rows: tables } = await tx.query<{ made: boolean }>(isMade)
  const rateMoves = tables[0]?.made === true ? (await tx.query<RateMove>(movesSql)).rows : []
  return { rows, counts, changes, rateMoves, reasons }
}

/** Loads a feed into a temporary table and applies manual corrections to it. Uses raw SQL, because Prisma has no COPY and no temporary tables. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import type { Transaction } from '#server/db/prisma.ts'
import type { Dataset } from '../product.ts'
import { FaultList } from './feed-faults.ts'
import { type FeedTable, feedTables } from './feed-tables.ts'
import type { OnProgress } from './guard.ts'
import type { StoredRow } from './row-change.ts'
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

type Target = Pick<FeedTable, 'table' | 'columns'>

/** Creates a temporary table for the feed, with the column types of its table; dropped on commit. Only history feeds have the column `withdrawn`. */
async function createFeed(tx: Transaction, { table, columns }: Target): Promise<void> {
  const cells = Object.keys(columns).map((name) => (name === 'withdrawn' ? 'false AS withdrawn' : name))
  await tx.query(`CREATE TEMP TABLE market_feed ON COMMIT DROP AS SELECT 0 AS line, ${cells.join(', ')} FROM ${table} WITH NO DATA`)
}

const special = /[\\\t\n\r]/g
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function toCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '\\N'
  return typeof value === 'string' ? value.replace(special, (character) => escapes[character] ?? '') : String(value)
}

/** Formats records for PostgreSQL's text COPY: the line number, then the fields in the given order. */
function copyText(records: readonly FeedRecord[], fields: readonly string[]): string {
  let text = ''
  for (const { line, values } of records) {
    text += line
    for (const field of fields) text += `\t${toCell(values[field])}`
    text += '\n'
  }
  return text
}

/**
 * Copies a feed into the temporary table `market_feed` while reading it, so that only one batch is in memory. Returns the number of records. After the last
 * batch, throws if the feed has validation errors.
 */
export async function stageFeed(
  tx: Transaction,
  target: Target,
  batches: AsyncIterable<readonly FeedRecord[]>,
  onProgress: OnProgress = () => undefined,
): Promise<number> {
  await createFeed(tx, target)
  const fields = Object.values(target.columns)
  let count = 0
  async function* rows() {
    for await (const batch of batches) {
      count += batch.length
      if (batch.length > 0) yield copyText(batch, fields)
      onProgress('reading', count)
    }
  }
  const copy = copyFrom(`COPY market_feed (line, ${Object.keys(target.columns).join(', ')}) FROM STDIN`)
  await pipeline(Readable.from(rows(), { objectMode: false }), tx.query(copy))
  return count
}

/** Stages a product row, keyed by column name, as the only row of a feed. The time of its last URL check is kept. */
export async function stageProduct(tx: Transaction, row: StoredRow): Promise<void> {
  await createFeed(tx, feedTables.product)
  const staged = { ...row, line: 1, url_checked_at: null }
  await tx.query('INSERT INTO market_feed SELECT * FROM jsonb_populate_record(NULL::market_feed, $1)', [JSON.stringify(staged)])
}

/** Drops the temporary tables, which otherwise exist until the transaction ends. */
export async function dropFeedTables(tx: Transaction): Promise<void> {
  await tx.query(
    'DROP TABLE IF EXISTS pg_temp.market_feed, pg_temp.market_diff, pg_temp.market_move, pg_temp.market_step, pg_temp.market_standing, pg_temp.market_chain',
  )
}

const maxProviders = 500_000

export async function providerSlugs(tx: Transaction, dataset: Dataset): Promise<string[]> {
  return (await tx.provider.findMany({ where: { dataset }, orderBy: { slug: 'asc' }, take: maxProviders, select: { slug: true } })).map(({ slug }) => slug)
}

/** Requires that every referenced provider exists. @throws FeedError with the feed rows that reference an unknown provider. */
export async function checkProviders(tx: Transaction, column: string, { dataset, fileName }: StagedFeed): Promise<void> {
  const { rows: unknown } = await tx.query<{ line: number; slug: string }>(
    `SELECT f.line, f.${column} AS slug FROM market_feed f
     WHERE f.${column} IS NOT NULL AND NOT EXISTS (SELECT FROM provider p WHERE p.dataset = $1 AND p.slug = f.${column}) ORDER BY f.line`,
    [dataset],
  )
  if (unknown.length === 0) return
  const faults = new FaultList()
  refuseProviders(faults, unknown, await providerSlugs(tx, dataset))
  faults.throwIfAny(fileName)
}

/** Correctable columns of a product, with their types. Columns that depend on each other are corrected together, so that they stay consistent with any feed. */
const correctable = {
  account_name: 'text',
  rate_bp: 'int',
  base_rate_bp: 'int',
  boost_rate_bp: 'int',
  boost_duration: 'text',
  min_balance_pence: 'bigint',
  max_balance_pence: 'bigint',
} as const

export type CorrectedColumn = keyof typeof correctable

const corrected = 'c.dataset = $1 AND c.ended_at IS NULL AND f.source_key = c.source_key'

/** Stores the feed's values for corrected products. */
const keepFeed = `UPDATE product_correction c SET feed = to_jsonb(f) - 'line' FROM market_feed f
  WHERE ${corrected} AND c.feed IS DISTINCT FROM to_jsonb(f) - 'line'`

/** Clears the stored feed row of corrected products that are missing from a complete feed, because a complete feed withdraws the products that it omits. */
const forgetFeed = `UPDATE product_correction c SET feed = NULL WHERE c.dataset = $1 AND c.ended_at IS NULL AND c.feed IS NOT NULL
  AND NOT EXISTS (SELECT FROM market_feed f WHERE f.source_key = c.source_key)`

const assignments = Object.entries(correctable).map(
  ([name, type]) => `${name} = CASE WHEN c.changes ? '${name}' THEN (c.changes ->> '${name}')::${type} ELSE f.${name} END`,
)

/** Replaces the corrected columns. */
const layOver = `UPDATE market_feed f SET ${assignments.join(', ')} FROM product_correction c WHERE ${corrected} AND NOT c.is_withdrawal`

/** Removes from `market_feed` the products that an administrator has withdrawn. */
const leaveOut = `DELETE FROM market_feed f USING product_correction c WHERE ${corrected} AND c.is_withdrawal`

/**
 * Overlays the active corrections on the products in `market_feed`, and stores the feed's own values. The diff then compares with the corrected market, so an
 * import neither undoes a correction nor writes events for it again.
 */
export async function layCorrections(tx: Transaction, { dataset, partial }: StagedFeed): Promise<void> {
  if ((await tx.productCorrection.findFirst({ where: { dataset, endedAt: null }, select: { id: true } })) === null) return
  for (const statement of [keepFeed, ...(partial ? [] : [forgetFeed]), layOver, leaveOut]) await tx.query(statement, [dataset])
}

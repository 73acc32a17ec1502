/** Compares a staged feed with its table and merges it as a whole. Uses raw SQL, because Prisma has no temporary tables or set-based merges. */
import type { Transaction } from '#server/db/prisma.ts'
import type { Dataset } from '../product.ts'
import type { TableKind } from './feed-kind.ts'
import { type FeedTable, feedTables } from './feed-tables.ts'
import { reasonsToStop } from './guard.ts'
import { type ChangeCounts, type ChangeKind, type FeedPreview, fieldChanges, type RateMove, type RowChange, type StoredRow } from './row-change.ts'
import { checkProviders, layCorrections, type StagedFeed } from './stage-feed.sql.ts'
import { writeHistory } from './write-history.sql.ts'

/** Result of applying a feed. */
export type Outcome = {
  readonly counts: ChangeCounts
  /** First rows of each kind of change. */
  readonly changes: readonly RowChange[]
  /** History rows replaced or corrected by a history feed. */
  readonly replaced: number
  /** Reasons to require confirmation. */
  readonly reasons: readonly string[]
  /** Time of the changes, from `readImportTime`; null if nothing changed. */
  readonly changedAt: Date | null
}

/** Maximum rows listed per kind of change. */
export const maxListedRows = 20

export const noChanges: ChangeCounts = { added: 0, changed: 0, restored: 0, withdrawn: 0, checked: 0 }

/**
 * Returns the time of an import from the database clock, which is the reference for all processes. It is later than the time of every earlier import, even if
 * the clock was set back, so that callers who ask for later changes miss none. Requires the import lock.
 */
export async function readImportTime(tx: Transaction): Promise<Date> {
  const { rows } = await tx.query<{ at: Date }>(
    `SELECT greatest(clock_timestamp(), (SELECT max(changed_at) + interval '1 millisecond' FROM market_import))::timestamptz(3) AS at`,
  )
  const at = rows[0]?.at
  if (at === undefined) throw new Error('The database returned no time.')
  return at
}

// Unless stated otherwise, $1 is the dataset and $2 the time of the import. Aliases: `f` feed row, `t` current row, `d` diff.
const names = (table: FeedTable) => Object.keys(table.columns)

const createDiff = 'CREATE TEMP TABLE market_diff (key text PRIMARY KEY, change text NOT NULL) ON COMMIT DROP'

/** Compares the feed with the current rows. $2 is true if the feed is complete, so that rows it omits are withdrawn. */
function fillDiff(table: FeedTable): string {
  const compared = names(table).filter((name) => name !== table.checked?.column)
  const restored = table.restore === null ? '' : `WHEN NOT (${table.listed}) THEN 'restored'`
  const checked = table.checked === null ? '' : `WHEN f.${table.checked.column} <> t.${table.checked.column} THEN 'checked'`
  return `INSERT INTO market_diff (key, change)
    SELECT key, change FROM (
      SELECT coalesce(f.${table.key}, t.${table.key}) AS key,
        CASE WHEN t.${table.key} IS NULL THEN 'added'
             WHEN f.${table.key} IS NULL THEN CASE WHEN $2 AND ${table.listed} THEN 'withdrawn' END
             ${restored}
             WHEN (${compared.map((name) => `t.${name}`).join(', ')}) IS DISTINCT FROM (${compared.map((name) => `f.${name}`).join(', ')}) THEN 'changed'
             ${checked}
        END AS change
      FROM market_feed f FULL JOIN (SELECT * FROM ${table.table} WHERE dataset = $1) t ON t.${table.key} = f.${table.key}
    ) compared WHERE change IS NOT NULL`
}

/**
 * Selects the first rows of each kind of change, sorted by key, with their contents before and after the change. $1 is the dataset, $2 the maximum per kind.
 * Must run before the changes are applied.
 */
function changedRows(table: FeedTable): string {
  return `SELECT d.key, d.change, to_jsonb(t) AS before, to_jsonb(f) AS after
    FROM (SELECT key, change, row_number() OVER (PARTITION BY change ORDER BY key) AS place FROM market_diff) d
    LEFT JOIN ${table.table} t ON t.dataset = $1 AND t.${table.key} = d.key LEFT JOIN market_feed f ON f.${table.key} = d.key
    WHERE d.place <= $2 ORDER BY d.change, d.key`
}

const countListed = (table: FeedTable) => `SELECT count(*)::int AS listed FROM ${table.table} t WHERE t.dataset = $1 AND ${table.listed}`

const countDiff = 'SELECT change, count(*)::int AS rows FROM market_diff GROUP BY change'

function addRows(table: FeedTable): string {
  const values = names(table).map((name) => (name === table.checked?.column ? `coalesce(f.${name}, $2::timestamptz)` : `f.${name}`))
  const stamps = table.hasCreatedAt ? ['created_at', 'updated_at'] : ['updated_at']
  return `INSERT INTO ${table.table} (dataset, ${[...names(table), ...stamps].join(', ')})
    SELECT $1, ${[...values, ...stamps.map(() => '$2::timestamptz')].join(', ')}
    FROM market_feed f JOIN market_diff d ON d.key = f.${table.key} WHERE d.change = 'added'`
}

function changeRows(table: FeedTable): string {
  const { checked } = table
  const kept = checked === null ? '' : `CASE WHEN ${checked.keptWhile} THEN t.${checked.column} ELSE $2::timestamptz END`
  const assignments = names(table)
    .filter((name) => name !== table.key)
    .map((name) => `${name} = ${name === checked?.column ? `coalesce(f.${name}, ${kept})` : `f.${name}`}`)
  if (table.restore !== null) assignments.push(table.restore)
  return `UPDATE ${table.table} t SET ${assignments.join(', ')},
      updated_at = CASE d.change WHEN 'checked' THEN t.updated_at ELSE $2::timestamptz END
    FROM market_feed f JOIN market_diff d ON d.key = f.${table.key}
    WHERE t.dataset = $1 AND t.${table.key} = f.${table.key} AND d.change IN ('changed', 'restored', 'checked')`
}

function withdrawRows(table: FeedTable): string {
  const which = `t.dataset = $1 AND t.${table.key} = d.key AND d.change = 'withdrawn'`
  // A deletion doesn't need the time, but every statement gets the same two parameters.
  if (table.withdraw === null) return `DELETE FROM ${table.table} t USING market_diff d WHERE ${which} AND $2::timestamptz IS NOT NULL`
  return `UPDATE ${table.table} t SET ${table.withdraw}, updated_at = $2::timestamptz FROM market_diff d WHERE ${which}`
}

/** Withdraws products that are still listed although an administrator has withdrawn them, even if the feed is partial. */
const withdrawCorrected = `INSERT INTO market_diff (key, change)
  SELECT t.source_key, 'withdrawn' FROM product_correction c JOIN product t ON t.dataset = c.dataset AND t.source_key = c.source_key
  WHERE c.dataset = $1 AND c.ended_at IS NULL AND c.is_withdrawal AND t.withdrawn_at IS NULL ON CONFLICT (key) DO NOTHING`

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

async function writeRows(tx: Transaction, table: FeedTable, counts: ChangeCounts, values: unknown[]): Promise<void> {
  if (counts.added > 0) await tx.query(addRows(table), values)
  if (counts.changed + counts.restored + counts.checked > 0) await tx.query(changeRows(table), values)
  if (counts.withdrawn > 0) await tx.query(withdrawRows(table), values)
}

/** Returns the display name of the rows of a table, for guard messages. */
const toNoun = (kind: TableKind) => (kind === 'service_quality' ? 'surveys' : `${kind.replace('_', ' ')}s`)

/**
 * Applies a feed to its table: compares everything, then writes rows, history and events.
 * @throws FeedError if the feed references an unknown provider.
 */
export async function applyTableFeed(tx: Transaction, kind: TableKind, feed: StagedFeed, beforeWriting: () => void): Promise<Outcome> {
  const table: FeedTable = feedTables[kind]
  // A new temporary table has no statistics. Joins only need statistics on the key; analysing every column would take ten times as long.
  await tx.query(`ANALYZE market_feed (${table.key})`)
  if (table.reference !== null) await checkProviders(tx, table.reference, feed)
  if (kind === 'product') await layCorrections(tx, feed)
  const counts = await compare(tx, table, feed)
  if (Object.values(counts).every((count) => count === 0)) return { counts, changes: [], replaced: 0, reasons: [], changedAt: null }
  const changes = await firstChanges(tx, table, feed)
  const listed = await listedRows(tx, table, feed.dataset)
  const productsListed = kind === 'product' ? listed : await listedRows(tx, feedTables.product, feed.dataset)
  const changedAt = await readImportTime(tx)
  const values = [feed.dataset, changedAt]
  beforeWriting()
  await writeRows(tx, table, counts, values)
  const moved = await writeHistory(tx, kind, feed.isQuiet, values)
  const reasons = reasonsToStop({ noun: toNoun(kind), listed, withdrawn: counts.withdrawn }, { listed: productsListed, ...moved })
  return { counts, changes, replaced: 0, reasons, changedAt }
}

const maxListedMoves = 20

// `market_move` exists only if a product or provider feed changed something.
const isMade = "SELECT to_regclass('pg_temp.market_move') IS NOT NULL AS made"

const movesSql = `SELECT source_key AS "sourceKey", now_account_name AS "accountName", was_rate_bp AS "fromBp", now_rate_bp AS "toBp" FROM market_move
  WHERE was AND now AND was_rate_bp <> now_rate_bp ORDER BY abs(now_rate_bp - was_rate_bp) DESC, source_key LIMIT ${maxListedMoves}`

/** Builds the preview of a feed. Must run in the transaction that compared the feed with its table. */
export async function buildPreview(tx: Transaction, { rows, counts, changes, reasons }: Outcome & { readonly rows: number }): Promise<FeedPreview> {
  const { rows: tables } = await tx.query<{ made: boolean }>(isMade)
  const rateMoves = tables[0]?.made === true ? (await tx.query<RateMove>(movesSql)).rows : []
  return { rows, counts, changes, rateMoves, reasons }
}

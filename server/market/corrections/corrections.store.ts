import type { Database, Db, Transaction } from '#server/db/prisma.ts'
import { createFeed } from '../import/feed-sql.ts'
import { feedTables } from '../import/feed-tables.ts'
import { bumpVersion } from '../import/import.store.ts'
import type { StoredRow } from '../import/row-change.ts'
import { applyTableFeed } from '../import/table-feed.store.ts'
import type { Dataset } from '../product.ts'
import type { CorrectedColumn } from './overlay.store.ts'

export type CorrectedValues = Readonly<Partial<Record<CorrectedColumn, string | number | null>>>

/** New correction. Null `changes` withdraw the product. `until` is the last day on which the correction applies (London, ISO date). */
export type NewCorrection = {
  readonly dataset: Dataset
  readonly sourceKey: string
  readonly changes: CorrectedValues | null
  readonly was: CorrectedValues
  readonly reason: string
  readonly by: string
  readonly until: string | null
}

const { table, columns } = feedTables.product
/** Columns set by the feed. `url_checked_at` keeps its value. */
const names = Object.keys(columns).filter((name) => name !== 'url_checked_at')

/** Returns the row of a product; undefined if there is none. */
export async function readProductRow(client: Db, dataset: Dataset, sourceKey: string): Promise<StoredRow | undefined> {
  const { rows } = await client.query<{ row: StoredRow }>('SELECT to_jsonb(p) AS row FROM product p WHERE dataset = $1 AND source_key = $2', [
    dataset,
    sourceKey,
  ])
  return rows[0]?.row
}

/** Locks the active correction of a product and returns its id; null if there is none. */
export async function lockActiveCorrection(client: Transaction, dataset: Dataset, sourceKey: string): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM product_correction WHERE dataset = $1 AND source_key = $2 AND ended_at IS NULL FOR UPDATE',
    [dataset, sourceKey],
  )
  return rows[0]?.id ?? null
}

/** Applies the product in `market_feed` as an import of that product alone would, with history, events and a new market version. */
async function applyOne(client: Transaction, dataset: Dataset, sourceKey: string): Promise<void> {
  const feed = { dataset, fileName: 'correction', partial: true, isSeed: false, isQuiet: false }
  const { counts } = await applyTableFeed(client, 'product', feed, () => undefined)
  // Record an import: market figures use the time of the last one, and a corrected market no longer counts as seed data.
  await client.query(
    `INSERT INTO market_import (dataset, kind, file_name, sha256, rows, added, changed, withdrawn, is_seed, at)
     VALUES ($1, 'correction', $2, '', 1, 0, $3, $4, false, clock_timestamp())`,
    [dataset, sourceKey, counts.changed + counts.restored, counts.withdrawn],
  )
  if (Object.values(counts).some((count) => count > 0)) await bumpVersion(client)
}

/** Stores a correction and applies it. The caller holds the import lock. */
export async function beginCorrection(client: Transaction, correction: NewCorrection): Promise<void> {
  const { dataset, sourceKey, changes, was, reason, by, until } = correction
  await client.query(
    `INSERT INTO product_correction (dataset, source_key, is_withdrawal, changes, was, reason, started_at, started_by, ends_at)
     VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp(), $7, ($8::date + 1)::timestamp AT TIME ZONE 'Europe/London')`,
    [dataset, sourceKey, changes === null, JSON.stringify(changes ?? {}), JSON.stringify(was), reason, by, until],
  )
  await client.query(createFeed(columns))
  await client.query(`INSERT INTO market_feed (line, ${names.join(', ')}) SELECT 1, ${names.join(', ')} FROM ${table} WHERE dataset = $1 AND source_key = $2`, [
    dataset,
    sourceKey,
  ])
  await applyOne(client, dataset, sourceKey)
}

/**
 * Ends a correction and restores the feed's values; the product stays withdrawn if the feed no longer lists it. `by` is null if the correction
 * expired.
 */
export async function endCorrection(client: Transaction, id: string, by: string | null): Promise<void> {
  const { rows } = await client.query<{ dataset: Dataset; source_key: string; feed: StoredRow | null }>(
    'UPDATE product_correction SET ended_at = clock_timestamp(), ended_by = $2 WHERE id = $1 AND ended_at IS NULL RETURNING dataset, source_key, feed',
    [id, by],
  )
  const [ended] = rows
  if (!ended?.feed) return
  await client.query(createFeed(columns))
  await client.query('INSERT INTO market_feed SELECT * FROM jsonb_populate_record(NULL::market_feed, $1)', [
    JSON.stringify({ ...ended.feed, line: 1, url_checked_at: null }),
  ])
  await applyOne(client, ended.dataset, ended.source_key)
}

export type DueRow = { id: string; source_key: string }

/** Returns an expired correction; undefined if there is none. */
export async function dueCorrection(client: Db, now: string): Promise<DueRow | undefined> {
  const { rows } = await client.query<DueRow>(
    'SELECT id, source_key FROM product_correction WHERE ended_at IS NULL AND ends_at <= $1 ORDER BY ends_at, id LIMIT 1',
    [now],
  )
  return rows[0]
}

export type CorrectionRow = {
  id: string
  is_withdrawal: boolean
  changes: CorrectedValues
  was: CorrectedValues
  feed: StoredRow | null
  reason: string
  started_at: Date
  started_by: string
  ends_at: Date | null
  ended_at: Date | null
  ended_by: string | null
}

/** Lists the corrections of a product, newest first. */
export async function readCorrections(pool: Database, dataset: Dataset, sourceKey: string, limit: number): Promise<CorrectionRow[]> {
  const { rows } = await pool.query<CorrectionRow>(
    `SELECT id, is_withdrawal, changes, was, feed, reason, started_at, started_by, ends_at, ended_at, ended_by FROM product_correction
     WHERE dataset = $1 AND source_key = $2 ORDER BY id DESC LIMIT $3`,
    [dataset, sourceKey, limit],
  )
  return rows
}

export type FoundRow = {
  sourceKey: string
  accountName: string
  accountType: string
  provider: string
  rateBp: number
  isListed: boolean
  isCorrected: boolean
}

/** Escapes LIKE wildcards in search text. */
const containing = (word: string) => `%${word.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

// Bytewise collation: locale-aware lower-casing takes ten times as long over all products.
const searched = `lower((p.source_key || ' ' || p.account_name || ' ' || v.name || ' ' || p.account_type) COLLATE "C")`

/** Live products after a given key, in key order. Every word must occur in the key, the name, the provider or the type. */
export async function findProducts(pool: Database, words: readonly string[], isCorrected: boolean, after: string, limit: number): Promise<FoundRow[]> {
  const { rows } = await pool.query<FoundRow>(
    `SELECT p.source_key AS "sourceKey", p.account_name AS "accountName", p.account_type AS "accountType", v.name AS provider, p.rate_bp AS "rateBp",
       p.withdrawn_at IS NULL AND v.active AS "isListed", c.id IS NOT NULL AS "isCorrected"
     FROM product p JOIN provider v ON v.dataset = p.dataset AND v.slug = p.provider_slug
     LEFT JOIN product_correction c ON c.dataset = p.dataset AND c.source_key = p.source_key AND c.ended_at IS NULL
     WHERE p.dataset = 'live' AND p.source_key > $1 AND ${searched} LIKE ALL ($2::text[]) AND (NOT $3 OR c.id IS NOT NULL)
     ORDER BY p.source_key LIMIT $4`,
    [after, words.map(containing), isCorrected, limit],
  )
  return rows
}

/** Name of a provider, active or not; undefined if the slug is unknown. */
export async function providerName(pool: Database, slug: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ name: string }>("SELECT name FROM provider WHERE dataset = 'live' AND slug = $1", [slug])
  return rows[0]?.name
}

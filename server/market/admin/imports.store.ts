import type { Database, Transaction } from '#server/db/prisma.ts'
import type { Dataset } from '../product.ts'

export type FetchRow = {
  fetched_at: Date
  /** Null if the fetch failed. */
  status: number | null
  rows: number | null
  changed: number | null
  as_of: string | null
  error: string | null
}

const facts = `fetched_at, status, rows, changed, to_char(as_of, 'YYYY-MM-DD') AS as_of, error`

/** Latest successful fetch of each source, from any URL. */
export async function lastGoodFetches(pool: Database, sources: readonly string[]): Promise<ReadonlyMap<string, FetchRow>> {
  const { rows } = await pool.query<FetchRow & { source: string }>(
    `SELECT n.source, f.* FROM unnest($1::text[]) n(source)
     CROSS JOIN LATERAL (SELECT ${facts} FROM source_fetch s WHERE s.source = n.source AND s.rows IS NOT NULL AND s.url NOT LIKE 'bundle:%'
       ORDER BY s.fetched_at DESC, s.id DESC LIMIT 1) f`,
    [sources],
  )
  return new Map(rows.map(({ source, ...row }) => [source, row]))
}

/** Latest fetches of a source, including failures. */
export async function listFetches(pool: Database, source: string, limit: number): Promise<FetchRow[]> {
  const { rows } = await pool.query<FetchRow>(
    `SELECT ${facts} FROM source_fetch WHERE source = $1 AND url NOT LIKE 'bundle:%' ORDER BY source_fetch.fetched_at DESC, id DESC LIMIT $2`,
    [source, limit],
  )
  return rows
}

export type ImportRow = {
  id: string
  kind: string
  file_name: string
  rows: number
  added: number
  changed: number
  withdrawn: number
  is_seed: boolean
  at: Date
}

/** Latest imports into the live market. Excludes seed markers and manual corrections. */
export async function newestImports(pool: Database, limit: number): Promise<ImportRow[]> {
  const { rows } = await pool.query<ImportRow>(
    `SELECT id, kind, file_name, rows, added, changed, withdrawn, is_seed, at FROM market_import
     WHERE dataset = 'live' AND kind NOT IN ('seed', 'correction') ORDER BY at DESC, id DESC LIMIT $1`,
    [limit],
  )
  return rows
}

/** Sources with a pending fetch request. */
export async function orderedSources(pool: Database): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ source: string }>('SELECT source FROM refresh_request WHERE settled_at IS NULL')
  return new Set(rows.map(({ source }) => source))
}

/** Requests a fetch; returns false if the source already has a pending request. */
export async function addOrder(client: Transaction, source: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'INSERT INTO refresh_request (source, requested_at) VALUES ($1, clock_timestamp()) ON CONFLICT (source) WHERE settled_at IS NULL DO NOTHING',
    [source],
  )
  return rowCount === 1
}

type OrderRow = { id: string; source: string; requested_at: Date; settled_at: Date | null; outcome: string | null }

/** Oldest pending fetch request; undefined if there is none. */
export async function nextOrder(pool: Database): Promise<OrderRow | undefined> {
  const { rows } = await pool.query<OrderRow>(
    'SELECT id, source, requested_at, settled_at, outcome FROM refresh_request WHERE settled_at IS NULL ORDER BY id LIMIT 1',
  )
  return rows[0]
}

export async function settleOrder(pool: Database, id: string, outcome: string): Promise<void> {
  await pool.query('UPDATE refresh_request SET settled_at = clock_timestamp(), outcome = $2 WHERE id = $1', [id, outcome])
}

/** Latest fetch request of a source; undefined if there has been none. */
export async function newestOrder(pool: Database, source: string): Promise<OrderRow | undefined> {
  const { rows } = await pool.query<OrderRow>(
    'SELECT id, source, requested_at, settled_at, outcome FROM refresh_request WHERE source = $1 ORDER BY id DESC LIMIT 1',
    [source],
  )
  return rows[0]
}

/**
 * Seed state of a dataset. `isOwn` is true if the seed may update the dataset, because it is empty or only the seed has changed it. `imported`
 * contains the SHA-256 of the feeds and stamps already imported.
 */
export async function readSeedState(pool: Database, dataset: Dataset): Promise<{ isOwn: boolean; imported: ReadonlySet<string> }> {
  const { rows } = await pool.query<{ is_own: boolean; imported: string[] }>(
    `SELECT NOT EXISTS (SELECT FROM market_import WHERE dataset = $1 AND NOT is_seed AND added + changed + withdrawn > 0)
         OR NOT (EXISTS (SELECT FROM product WHERE dataset = $1) OR EXISTS (SELECT FROM provider WHERE dataset = $1)) AS is_own,
       ARRAY(SELECT DISTINCT sha256 FROM market_import WHERE dataset = $1) AS imported`,
    [dataset],
  )
  return { isOwn: rows[0]?.is_own ?? false, imported: new Set(rows[0]?.imported) }
}

/** Records that all feeds of a release are imported, with a stamp of their inputs. */
export async function recordStamp(pool: Database, dataset: Dataset, stamp: string): Promise<void> {
  await pool.query(
    `INSERT INTO market_import (dataset, kind, file_name, sha256, rows, added, changed, withdrawn, is_seed, at)
     VALUES ($1, 'seed', 'demonstration', $2, 0, 0, 0, 0, true, clock_timestamp())`,
    [dataset, stamp],
  )
}

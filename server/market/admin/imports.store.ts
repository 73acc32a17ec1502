import type { Pool } from 'pg'

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
export async function lastGoodFetches(pool: Pool, sources: readonly string[]): Promise<ReadonlyMap<string, FetchRow>> {
  const { rows } = await pool.query<FetchRow & { source: string }>(
    `SELECT n.source, f.* FROM unnest($1::text[]) n(source)
     CROSS JOIN LATERAL (SELECT ${facts} FROM source_fetch s WHERE s.source = n.source AND s.rows IS NOT NULL AND s.url NOT LIKE 'bundle:%'
       ORDER BY s.fetched_at DESC, s.id DESC LIMIT 1) f`,
    [sources],
  )
  return new Map(rows.map(({ source, ...row }) => [source, row]))
}

/** Latest fetches of a source, including failures. */
export async function listFetches(pool: Pool, source: string, limit: number): Promise<FetchRow[]> {
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
export async function newestImports(pool: Pool, limit: number): Promise<ImportRow[]> {
  const { rows } = await pool.query<ImportRow>(
    `SELECT id, kind, file_name, rows, added, changed, withdrawn, is_seed, at FROM market_import
     WHERE dataset = 'live' AND kind NOT IN ('seed', 'correction') ORDER BY at DESC, id DESC LIMIT $1`,
    [limit],
  )
  return rows
}

/** Sources with a pending fetch request. */
export async function orderedSources(pool: Pool): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ source: string }>('SELECT source FROM source_order WHERE settled_at IS NULL')
  return new Set(rows.map(({ source }) => source))
}

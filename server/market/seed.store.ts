import type { Pool } from 'pg'
import type { Dataset } from './dataset.ts'

/**
 * Seed state of a dataset: `isOwn` if the seed may update it, because it is empty or nothing else has changed it, and the SHA-256 of the feeds
 * and stamps already imported.
 */
export async function readSeedState(pool: Pool, dataset: Dataset): Promise<{ isOwn: boolean; imported: ReadonlySet<string> }> {
  const { rows } = await pool.query<{ is_own: boolean; imported: string[] }>(
    `SELECT NOT EXISTS (SELECT FROM market_import WHERE dataset = $1 AND NOT is_seed AND added + changed + withdrawn > 0)
         OR NOT (EXISTS (SELECT FROM product WHERE dataset = $1) OR EXISTS (SELECT FROM provider WHERE dataset = $1)) AS is_own,
       ARRAY(SELECT DISTINCT sha256 FROM market_import WHERE dataset = $1) AS imported`,
    [dataset],
  )
  return { isOwn: rows[0]?.is_own ?? false, imported: new Set(rows[0]?.imported) }
}

/** Records that all feeds of a release are imported, with a stamp of their inputs. */
export async function recordStamp(pool: Pool, dataset: Dataset, stamp: string): Promise<void> {
  await pool.query(
    `INSERT INTO market_import (dataset, kind, file_name, sha256, rows, added, changed, withdrawn, is_seed, at)
     VALUES ($1, 'seed', 'demonstration', $2, 0, 0, 0, 0, true, clock_timestamp())`,
    [dataset, stamp],
  )
}

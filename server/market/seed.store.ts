import type { Pool } from 'pg'
import type { Dataset } from './dataset.ts'

/**
 * What the seed has to know of a dataset: whether it is its own to keep up to date, because nothing is there or no one else has changed
 * anything, and which feeds were taken in before, by their SHA-256.
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

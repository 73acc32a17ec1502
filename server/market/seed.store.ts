import type { Pool } from 'pg'
import type { Dataset } from './dataset.ts'

/** What the seed has to know: whether live data are there, and which feeds of a dataset were taken in before, by their SHA-256. */
export async function readSeedState(pool: Pool, dataset: Dataset): Promise<{ isEmpty: boolean; imported: ReadonlySet<string> }> {
  const { rows } = await pool.query<{ is_empty: boolean; imported: string[] }>(
    `SELECT NOT EXISTS (SELECT FROM product WHERE dataset = $1) AND NOT EXISTS (SELECT FROM provider WHERE dataset = $1) AS is_empty,
       ARRAY(SELECT DISTINCT sha256 FROM market_import WHERE dataset = $1) AS imported`,
    [dataset],
  )
  return { isEmpty: rows[0]?.is_empty ?? true, imported: new Set(rows[0]?.imported) }
}

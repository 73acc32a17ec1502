import type { Pool } from 'pg'
import { queryWithin } from '#server/db/query-within.ts'

/** Whether more transactions were added up than this cluster has had: then the log was written in another one. */
export async function isFromElsewhere(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ moved: boolean }>('SELECT next_tx > pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS moved FROM usage_progress')
  return rows[0]?.moved === true
}

/** Every row of the log is written anew. */
const withinMs = 3_600_000

/** Gives the rows of another cluster the numbers that they have in a backup; null when another process has just done it. */
export async function renumberRows(pool: Pool): Promise<number | null> {
  const [row] = await queryWithin<{ rows: string | null }>(pool, withinMs, 'SELECT take_in_moved_log() AS rows', [])
  return row?.rows == null ? null : Number(row.rows)
}

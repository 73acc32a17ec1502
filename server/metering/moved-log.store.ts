import type { Pool } from 'pg'
import { queryWithin } from '#server/db/query-within.ts'

/** Returns true if usage progress is ahead of this cluster's transaction ids, which means that the log was written by another cluster. */
export async function isMovedLog(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ moved: boolean }>('SELECT next_tx > pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS moved FROM usage_progress')
  return rows[0]?.moved === true
}

/** One hour: every row of the log is rewritten. */
const renumberTimeoutMs = 3_600_000

/** Renumbers the rows of a log from another cluster, as a restore from backup does. Returns null if another process has just done it. */
export async function renumberRows(pool: Pool): Promise<number | null> {
  const [row] = await queryWithin<{ rows: string | null }>(pool, renumberTimeoutMs, 'SELECT take_in_moved_log() AS rows', [])
  return row?.rows == null ? null : Number(row.rows)
}

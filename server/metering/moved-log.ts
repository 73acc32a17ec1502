import type { Pool } from 'pg'
import type { Log } from '#server/observability/log.ts'
import { isMovedLog, renumberRows } from './moved-log.store.ts'

/**
 * Renumbers a request log that was moved here from another PostgreSQL server with pg_dump. Its transaction ids belong to the old server, so usage would be
 * counted twice or never. Runs before the service accepts requests, because calls are blocked meanwhile.
 */
export async function renumberMovedLog(pool: Pool, log: Log): Promise<void> {
  if (!(await isMovedLog(pool))) return
  log.warn('The request log comes from another PostgreSQL server; renumbering its rows.')
  const rows = await renumberRows(pool)
  log.warn({ rows: rows ?? 0 }, 'Renumbered the request log.')
}

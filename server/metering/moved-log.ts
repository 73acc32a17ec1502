import type { Pool } from 'pg'
import type { Log } from '#server/observability/log.ts'
import { isMovedLog, renumberRows } from './moved-log.store.ts'

/**
 * Renumbers a request log that was moved here from another PostgreSQL with pg_dump. Its transaction ids belong to the old server, so usage would be counted
 * twice or never. Runs before the service accepts requests, because calls are blocked meanwhile.
 */
export async function renumberMovedLog(pool: Pool, log: Log): Promise<void> {
  if (!(await isMovedLog(pool))) return
  log.warn('The log of calls comes from another PostgreSQL; renumbering its rows.')
  const rows = await renumberRows(pool)
  log.warn({ rows: rows ?? 0 }, 'Renumbered the log of calls.')
}

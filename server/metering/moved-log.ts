import type { Pool } from 'pg'
import type { Log } from '#server/observability/log.ts'
import { isFromElsewhere, renumberRows } from './moved-log.store.ts'

/**
 * Takes in a log of calls that came from another PostgreSQL by pg_dump: the numbers of transactions in it are that server's, and by them calls would be added
 * up twice or never. Before anybody is let in, because calls wait meanwhile.
 */
export async function takeInMovedLog(pool: Pool, log: Log): Promise<void> {
  if (!(await isFromElsewhere(pool))) return
  log.warn('The log of calls comes from another PostgreSQL: it is taken in, which writes each of its rows anew.')
  const rows = await renumberRows(pool)
  log.warn({ rows: rows ?? 0 }, 'The log of calls is taken in.')
}

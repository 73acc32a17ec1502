import type { Pool } from 'pg'

type Found = { statement: number; idle: number; isolation: string; role: string }

const foundSql = `SELECT (SELECT setting::int FROM pg_settings WHERE name = 'statement_timeout') AS statement,
  (SELECT setting::int FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout') AS idle,
  current_setting('default_transaction_isolation') AS isolation, current_user AS role`

/** Pages and jobs wait five seconds for a statement; a session that allows much more would hold a place of the pooler for nobody. */
const longestMs = 30_000

function faultsOf({ statement, idle, isolation }: Found): string[] {
  const isBounded = (ms: number) => ms > 0 && ms <= longestMs
  return [
    isBounded(statement) ? [] : ["statement_timeout = '5s'"],
    isBounded(idle) ? [] : ["idle_in_transaction_session_timeout = '7s'"],
    isolation === 'read committed' ? [] : ["default_transaction_isolation = 'read committed'"],
  ].flat()
}

/**
 * Behind a pooler sessions belong to nobody, so that we set nothing for one: they have to come with the limits that our own would be given.
 * @throws when they do not, with what to do.
 */
export async function assertPooledSessions(pool: Pool): Promise<void> {
  const { rows } = await pool.query<Found>(foundSql)
  const [found] = rows
  const faults = found ? faultsOf(found) : []
  if (!found || faults.length === 0) return
  const commands = faults.map((fault) => `ALTER ROLE "${found.role}" SET ${fault};`).join(' ')
  throw new Error(
    `DATABASE_POOLER is transaction, but the sessions behind DATABASE_URL lack limits that the service needs. Set them by connect_query as deploy/pgbouncer.ini does, or run: ${commands} Then have the pooler connect anew (RECONNECT).`,
  )
}

import type { Pool } from 'pg'

type Found = { statement: number; idle: number; isolation: string; role: string }

const foundSql = `SELECT (SELECT setting::int FROM pg_settings WHERE name = 'statement_timeout') AS statement,
  (SELECT setting::int FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout') AS idle,
  current_setting('default_transaction_isolation') AS isolation, current_user AS role`

/** Pages and jobs wait five seconds for a statement. Sessions that allow much more would occupy the pooler's connections needlessly. */
const maxTimeoutMs = 30_000

function findFaults({ statement, idle, isolation }: Found): string[] {
  const isBounded = (ms: number) => ms > 0 && ms <= maxTimeoutMs
  return [
    isBounded(statement) ? [] : ["statement_timeout = '5s'"],
    isBounded(idle) ? [] : ["idle_in_transaction_session_timeout = '7s'"],
    isolation === 'read committed' ? [] : ["default_transaction_isolation = 'read committed'"],
  ].flat()
}

/**
 * Checks that a pooler's sessions have the limits that our own sessions get. We can't set them ourselves, because sessions are shared.
 * @throws if they don't, with instructions
 */
export async function assertPooledSessions(pool: Pool): Promise<void> {
  const { rows } = await pool.query<Found>(foundSql)
  const [found] = rows
  const faults = found ? findFaults(found) : []
  if (!found || faults.length === 0) return
  const commands = faults.map((fault) => `ALTER ROLE "${found.role}" SET ${fault};`).join(' ')
  throw new Error(
    `DATABASE_POOLER is transaction, but the sessions behind DATABASE_URL lack limits that the service needs. Set them with connect_query as in deploy/pgbouncer.ini, or run: ${commands} Then make the pooler reconnect (RECONNECT).`,
  )
}

import { type ClientConfig, Pool, type PoolConfig } from 'pg'
import { readSessionSettings, type SessionSettings, setUtc } from './database-probes.sql.ts'
import { PrimaryClient, withParameters } from './primary-client.ts'
import { type Database, withPrisma } from './prisma.ts'

export type PoolOptions = {
  url: string
  /** Maximum connections, not counting the metering module's own connections. */
  max: number
  /** Shown in pg_stat_activity. */
  applicationName: string
  statementTimeoutMs: number
  /** True if `url` is a transaction-mode pooler: each transaction may use a different session. */
  isPooled?: boolean
  /** Connection timeout. Default: five seconds. */
  connectTimeoutMs?: number
  /** Receives errors of idle connections, which the pool replaces. */
  onError: (error: Error) => void
}

/** Extra time that we wait after the server's timeout, in case the server doesn't respond at all. */
const silenceMs = 2_000

export function openPool(options: PoolOptions): Database {
  const pool = new Pool({
    max: options.max,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    query_timeout: options.statementTimeoutMs + silenceMs,
    ...(options.isPooled ? throughPooler(options) : toServer(options)),
  })
  pool.on('error', options.onError)
  return withPrisma(pool)
}

function toServer({ url, statementTimeoutMs }: PoolOptions): PoolConfig {
  return {
    connectionString: inUtc(url),
    Client: PrimaryClient,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs + silenceMs,
  }
}

/**
 * Returns the settings for connections to a pooler. The pooler sets the session limits, and `assertPooledSessions` checks them. The time zone is one of the few
 * settings that PgBouncer applies to every session that a client gets.
 */
function throughPooler({ url }: PoolOptions): PoolConfig {
  return { connectionString: url, Client: NamelessClient, onConnect: setUtc as NonNullable<PoolConfig['onConnect']> }
}

/** Client that sends all statements without a name, because a statement prepared in one session is unknown in the next. */
class NamelessClient extends PrimaryClient {
  constructor(config?: ClientConfig) {
    super(config)
    const send = this.query.bind(this) as (...values: unknown[]) => unknown
    this.query = ((question: unknown, ...others: unknown[]) => send(nameless(question), ...others)) as typeof this.query
  }
}

/** Removes the name of a query. Streams (`submit`) have no name and are sent as they are. */
function nameless(question: unknown): unknown {
  const isNamed = typeof question === 'object' && question !== null && 'name' in question && !('submit' in question)
  return isNamed ? { ...question, name: undefined } : question
}

/** Adds UTC to the URL as the session time zone: Prisma's adapter drops the offset of the timestamps it reads, so they are only correct in UTC. */
function inUtc(url: string): string {
  return withParameters(url, (parameters) => parameters.set('options', `${parameters.get('options') ?? ''} -c timezone=UTC`.trim()))
}

/** Longest timeout accepted in a pooler's sessions. Pages and jobs wait five seconds for a statement, so a much longer timeout would only block connections. */
const maxTimeoutMs = 30_000

function findFaults({ statement, idle, isolation }: SessionSettings): string[] {
  const isBounded = (ms: number) => ms > 0 && ms <= maxTimeoutMs
  return [
    isBounded(statement) ? [] : ["statement_timeout = '5s'"],
    isBounded(idle) ? [] : ["idle_in_transaction_session_timeout = '7s'"],
    isolation === 'read committed' ? [] : ["default_transaction_isolation = 'read committed'"],
  ].flat()
}

/**
 * Checks that a pooler's sessions have the timeouts and the isolation level that the service needs. We can't set them ourselves, because the sessions are
 * shared. @throws if they don't, with instructions
 */
export async function assertPooledSessions(pool: Pool): Promise<void> {
  const found = await readSessionSettings(pool)
  const faults = found ? findFaults(found) : []
  if (!found || faults.length === 0) return
  const commands = faults.map((fault) => `ALTER ROLE "${found.role}" SET ${fault};`).join(' ')
  throw new Error(
    `DATABASE_POOLER is transaction, but the sessions behind DATABASE_URL lack limits that the service needs. Set them with connect_query as in deploy/pgbouncer.ini, or run: ${commands} Then make the pooler reconnect (RECONNECT).`,
  )
}

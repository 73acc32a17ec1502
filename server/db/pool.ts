import { Pool } from 'pg'

export type PoolOptions = {
  url: string
  /** Connections at most; the gateway's own statement connections are not among them. */
  max: number
  /** Shown in pg_stat_activity, so that an operator sees who holds what. */
  applicationName: string
  statementTimeoutMs: number
  /** Hears of idle connections that the server dropped. The pool replaces them, but somebody should know. */
  onError: (error: Error) => void
}

/** How much longer than the server we wait ourselves, for a server that cannot even say that time is up. */
const silenceMs = 2_000

export function openPool(options: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: inUtc(options.url),
    max: options.max,
    application_name: options.applicationName,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    statement_timeout: options.statementTimeoutMs,
    query_timeout: options.statementTimeoutMs + silenceMs,
    idle_in_transaction_session_timeout: options.statementTimeoutMs + silenceMs,
  })
  pool.on('error', options.onError)
  return pool
}

/** Prisma's adapter drops the offset of a timestamp it reads, so that only in a UTC session is what it reads true. */
function inUtc(url: string): string {
  const address = new URL(url)
  const given = address.searchParams.get('options') ?? ''
  address.searchParams.set('options', `${given} -c timezone=UTC`.trim())
  return address.href
}

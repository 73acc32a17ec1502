import { Client, type ClientConfig, Pool, type PoolConfig } from 'pg'

export type PoolOptions = {
  url: string
  /** Connections at most; the gateway's own statement connections are not among them. */
  max: number
  /** Shown in pg_stat_activity, so that an operator sees who holds what. */
  applicationName: string
  statementTimeoutMs: number
  /** Whether a pooler in transaction mode is at `url`: each transaction may meet another session there. */
  isPooled?: boolean
  /** How long a connection may take to be made; five seconds unless told otherwise. */
  connectWithinMs?: number
  /** Hears of idle connections that the server dropped. The pool replaces them, but somebody should know. */
  onError: (error: Error) => void
}

/** How much longer than the server we wait ourselves, for a server that cannot even say that time is up. */
const silenceMs = 2_000

export function openPool(options: PoolOptions): Pool {
  const pool = new Pool({
    max: options.max,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectWithinMs ?? 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    query_timeout: options.statementTimeoutMs + silenceMs,
    ...(options.isPooled ? throughPooler(options) : toServer(options)),
  })
  pool.on('error', options.onError)
  return pool
}

function toServer({ url, statementTimeoutMs }: PoolOptions): PoolConfig {
  return {
    connectionString: inUtc(url),
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs + silenceMs,
  }
}

/** The sessions are the pooler's, and so are their limits (`assertPooledSessions`). The time zone is one of the few things that PgBouncer carries from one to the next. */
function throughPooler({ url }: PoolOptions): PoolConfig {
  const onConnect = (client: { query: (text: string) => Promise<unknown> }) => client.query("SET TIME ZONE 'UTC'")
  return { connectionString: url, Client: NamelessClient, onConnect: onConnect as NonNullable<PoolConfig['onConnect']> }
}

/** Sends every statement without a name: what one session has prepared the next one does not know. */
class NamelessClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config)
    const send = this.query.bind(this) as (...values: unknown[]) => unknown
    this.query = ((question: unknown, ...others: unknown[]) => send(nameless(question), ...others)) as typeof this.query
  }
}

/** A stream brings its own way of being sent and has no name. */
function nameless(question: unknown): unknown {
  const isNamed = typeof question === 'object' && question !== null && 'name' in question && !('submit' in question)
  return isNamed ? { ...question, name: undefined } : question
}

/** Prisma's adapter drops the offset of a timestamp it reads, so that only in a UTC session is what it reads true. */
function inUtc(url: string): string {
  const address = new URL(url)
  const given = address.searchParams.get('options') ?? ''
  address.searchParams.set('options', `${given} -c timezone=UTC`.trim())
  return address.href
}

/**
 * Connection and SQL statements of the admission path. Prisma cannot pipeline statements on one connection, or report whether a failed statement was rolled
 * back.
 */
import { Socket } from 'node:net'
import { type Client, DatabaseError } from 'pg'
import { PrimaryClient } from '#server/db/primary-client.ts'
import type { Database } from '#server/db/prisma.ts'
import type { Log } from '#server/observability/log.ts'
import { SingleRowQuery, type TextRow } from './single-row-query.ts'

/** Thrown when the connection broke during a statement, so its outcome is unknown. */
export class LostError extends Error {
  constructor(cause: unknown) {
    super('The connection to PostgreSQL was lost while a batch was in flight.', { cause })
    this.name = 'LostError'
  }
}

const connectTimeoutMs = 2_000
const setUpTimeoutMs = 4_000
const reconnectDelayMs = 200

/**
 * Turns on `synchronous_commit` if it is off in the database or role settings, because charges must be durable before they are reported. Stricter settings are
 * kept.
 */
const waitForDisk = (isLocal: boolean) =>
  `set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, ${isLocal})`

/** Kind of server that a connection is made to. Default: a PostgreSQL server. */
export type ConnectionKind = { readonly isPooled?: boolean; readonly isNode?: boolean }

/** Session settings of the admission path. */
const settings = { plan_cache_mode: 'force_generic_plan', jit: 'off', lock_timeout: '1500ms' } as const
const setUp = `${Object.entries(settings)
  .map(([name, value]) => `SET ${name} = '${value}'`)
  .join('; ')}; SET statement_timeout = '10s'; SET default_transaction_isolation = 'read committed'; SELECT ${waitForDisk(false)}`

/**
 * Applies the same settings to a SELECT that runs as its own transaction. The settings are its first columns, because PostgreSQL evaluates columns in order.
 */
const leadingColumns = [...Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`), waitForDisk(true)]
const withSettings = (text: string) => text.replace(/^SELECT /, `SELECT ${leadingColumns.join(', ')}, `)

const places = (parameters: number) => Array.from({ length: parameters }, (_, at) => `$${at + 1}`).join(',')

/** Builds a statement. Behind a pooler, it must be a single transaction: between two transactions, the pooler could give the connection to another client. */
export const admissionSql = (name: string, parameters: number, isPooled: boolean) =>
  isPooled ? `SELECT ${name}(${places(parameters)})` : `CALL ${name}_durably(${places(parameters)},NULL,NULL)`

/**
 * Builds a call to a shard's function (`make_shard_functions`). The call is a single transaction whose commit waits for the disk, because only rows on disk
 * move with a shard.
 */
export const shardSql = (shard: string, name: string, parameters: number) => `SELECT shard_${shard}.${name}(${places(parameters)})`

/** Allows shard functions to write to the shards' tables. */
const allowShards = 'SET citus.enable_manual_changes_to_shards = on'

/** Returns true if a batch was rolled back because its shard is on another node, or because the tables are distributed or being distributed. */
export const isMoved = (error: unknown): boolean => error instanceof DatabaseError && error.code === 'SVC02'

export type ShardPlace = { readonly shard: string; readonly host: string; readonly port: number }

/** Returns the node of each wallet shard; empty on a single server. */
export async function readShardPlaces(pool: Database): Promise<ShardPlace[]> {
  const { rows } = await pool.query<{ isDistributed: boolean }>('SELECT is_distributed() AS "isDistributed"')
  if (rows[0]?.isDistributed !== true) return []
  const places = await pool.query<ShardPlace>(
    `SELECT s.shardid::text AS shard, n.nodename AS host, n.nodeport AS port
     FROM pg_dist_shard s JOIN pg_dist_placement p ON p.shardid = s.shardid JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
     WHERE s.logicalrelid = 'public.wallet'::regclass`,
  )
  return places.rows
}

/** Returns the shards of accounts on a cluster. */
export async function readAccountShards(pool: Database, accountIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await pool.query<{ id: number; shard: string }>('SELECT id, account_shard(id)::text AS shard FROM unnest($1::int[]) id', [accountIds])
  return new Map(rows.map(({ id, shard }) => [id, shard]))
}

export const reconcileSql = `SELECT reconcile(${places(5)})`

/**
 * SQLSTATE classes that can only occur before a commit: data errors, constraint violations, conflicts between transactions, invalid statements, lock
 * timeouts, our own errors, and a disk on which a table can't grow. (If the WAL can't grow, the server stops.)
 */
const beforeCommit = /^(?:22|23|40|42|55|P0|53100|SVC02)/

/**
 * Returns true if the server itself reported that the statement failed and was rolled back; the connection is still usable. A batch commits twice, so an error
 * that can also occur after the first commit proves nothing. A pooler that lost its server also reports ERROR, without knowing the statement's outcome; errors
 * from the server itself name the routine that raised them.
 */
function isRolledBack(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity === 'ERROR' && error.routine !== undefined && beforeCommit.test(error.code ?? '')
}

/**
 * Connection of the admission path, outside the pool that pages use. Reconnects until it is closed. Can be cut at any time, so that a stalled server does not
 * stall callers.
 */
export class AdmissionConnection {
  private client: Client | null = null
  private socket: Socket | null = null
  private connecting: Promise<void> | null = null
  private closed = false
  private readonly url: string
  private readonly log: Log
  private readonly onReady: () => void
  private readonly isPooled: boolean
  private readonly isNode: boolean
  busy = false

  /**
   * Set `isPooled` if `url` points to a pooler in transaction mode, where each statement may run in a different session, and `isNode` if it points to a node of a
   * cluster.
   */
  constructor(url: string, log: Log, onReady: () => void, { isPooled = false, isNode = false }: ConnectionKind = {}) {
    this.isNode = isNode
    this.url = url
    this.isPooled = isPooled
    this.log = log
    this.onReady = onReady
  }

  get isOpen(): boolean {
    return this.client !== null
  }

  get ready(): boolean {
    return this.client !== null && !this.busy
  }

  /** Connects, retrying until it succeeds or the connection is closed. */
  open(): Promise<void> {
    this.connecting ??= this.connect().finally(() => {
      this.connecting = null
    })
    return this.connecting
  }

  private async connect(): Promise<void> {
    let reported = false
    while (!this.closed && !this.client) {
      try {
        await this.tryConnect()
      } catch (error) {
        if (!reported) this.log.warn({ err: error }, 'Cannot connect to PostgreSQL for admission; retrying.')
        reported = true
        await new Promise((resolve) => setTimeout(resolve, reconnectDelayMs))
      }
    }
    if (!this.closed) this.onReady()
  }

  private async tryConnect(): Promise<void> {
    const socket = new Socket()
    const client = new PrimaryClient({
      connectionString: this.url,
      application_name: 'svc-admission',
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      stream: () => socket,
    })
    client.on('error', () => this.drop(client))
    client.on('end', () => this.drop(client))
    // Without a timeout, a server that accepts the connection and then stops responding would block this connection for ever.
    const silence = setTimeout(() => socket.destroy(new Error('PostgreSQL stopped responding while connecting.')), setUpTimeoutMs)
    try {
      await client.connect()
      socket.setNoDelay(true)
      if (!this.isPooled) await client.query(this.isNode ? `${setUp}; ${allowShards}` : setUp)
    } catch (error) {
      socket.destroy()
      throw error
    } finally {
      clearTimeout(silence)
    }
    this.client = client
    this.socket = socket
  }

  private drop(client: Client): void {
    if (this.client !== client) return
    this.client = null
    this.socket?.destroy()
    this.socket = null
    if (!this.closed) void this.open()
  }

  /**
   * Runs a statement that returns one row. Uses a prepared statement, except behind a pooler.
   * @throws LostError if the outcome is unknown; any other error means that the statement was rolled back.
   */
  async run(name: string, text: string, values: string[]): Promise<TextRow> {
    const client = this.client
    if (!client) throw new Error('The admission connection to PostgreSQL is not open.')
    this.busy = true
    try {
      const row = await this.ask(client, name, text, values)
      return this.isPooled ? row.slice(leadingColumns.length) : row
    } catch (error) {
      if (isRolledBack(error)) throw error
      this.drop(client)
      throw new LostError(error)
    } finally {
      this.busy = false
    }
  }

  private ask(client: Client, name: string, text: string, values: string[]): Promise<TextRow> {
    return new Promise((done, failed) => {
      const settle = (error: Error | null, row: TextRow) => (error ? failed(error) : done(row))
      client.query(this.isPooled ? new SingleRowQuery('', withSettings(text), values, settle) : new SingleRowQuery(name, text, values, settle))
    })
  }

  /** Cuts the connection. The outcome of the statement in flight becomes unknown. */
  cut(): void {
    if (this.client) this.drop(this.client)
  }

  async close(): Promise<void> {
    this.closed = true
    const client = this.client
    this.client = null
    await client?.end()
  }
}

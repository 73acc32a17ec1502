import { Socket } from 'node:net'
import { Client, DatabaseError } from 'pg'
import type { Log } from '#server/observability/log.ts'
import { LaneQuery, type LaneRow } from './lane-query.ts'

/** The statement's outcome is not known: the connection broke while it was under way. */
export class LostError extends Error {
  constructor(cause: unknown) {
    super('The connection to PostgreSQL was lost while a batch was under way.', { cause })
    this.name = 'LostError'
  }
}

const connectTimeoutMs = 2_000
const setUpWithinMs = 4_000
const reconnectDelayMs = 200

/** A database or a role that does not wait for the disk would make what is said of a charge a guess; one that waits for more than the disk goes on doing so. */
const waitForDisk = (isLocal: boolean) =>
  `set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, ${isLocal})`

/** What admission needs of its sessions. */
const settings = { plan_cache_mode: 'force_generic_plan', jit: 'off', lock_timeout: '1500ms' } as const
const setUp = `${Object.entries(settings)
  .map(([name, value]) => `SET ${name} = '${value}'`)
  .join('; ')}; SET statement_timeout = '10s'; SET default_transaction_isolation = 'read committed'; SELECT ${waitForDisk(false)}`

/** The same for one statement that begins with SELECT, in its own transaction: the columns in front, which are evaluated first. */
const broughtAlong = [...Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`), waitForDisk(true)]
const withSettings = (text: string) => text.replace(/^SELECT /, `SELECT ${broughtAlong.join(', ')}, `)

/**
 * Errors of data, of a rule of a table, of two transactions with each other, of a statement that is none, of a lock that was not given, our own, and of a disk
 * on which a table cannot grow. Where the log cannot, the server ends.
 */
const beforeTheCommit = /^(?:22|23|40|42|55|P0|53100)/

/**
 * Whether the server itself said that the statement failed and was rolled back, and the connection lives on. A batch has two commits, so an error that can
 * also come behind the first says nothing of that. A pooler that lost the server says ERROR too, and knows nothing of the statement; only the server names
 * the routine that refused it.
 */
function isRolledBack(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity === 'ERROR' && error.routine !== undefined && beforeTheCommit.test(error.code ?? '')
}

/**
 * One connection of the admission path, apart from the pool that pages use. It reconnects by itself, for as long as the process lives,
 * and can be cut at any moment, because a stalled server must not stall the callers.
 */
export class Lane {
  private client: Client | null = null
  private socket: Socket | null = null
  private connecting: Promise<void> | null = null
  private closed = false
  private readonly url: string
  private readonly log: Log
  private readonly onReady: () => void
  private readonly isPooled: boolean
  busy = false

  /** `isPooled`: a pooler in transaction mode is at `url`, so that every statement may meet another session. */
  constructor(url: string, log: Log, onReady: () => void, isPooled = false) {
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

  /** Connects, trying again until it works or the lane is closed. */
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
        if (!reported) this.log.warn({ err: error }, 'The admission path cannot reach PostgreSQL; trying again until it can.')
        reported = true
        await new Promise((resolve) => setTimeout(resolve, reconnectDelayMs))
      }
    }
    if (!this.closed) this.onReady()
  }

  private async tryConnect(): Promise<void> {
    const socket = new Socket()
    const client = new Client({
      connectionString: this.url,
      application_name: 'svc-admission',
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      stream: () => socket,
    })
    client.on('error', () => this.drop(client))
    client.on('end', () => this.drop(client))
    // A server that accepts the connection and then falls silent must not hold the lane for ever.
    const silence = setTimeout(() => socket.destroy(new Error('PostgreSQL fell silent while connecting.')), setUpWithinMs)
    try {
      await client.connect()
      socket.setNoDelay(true)
      if (!this.isPooled) await client.query(setUp)
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
   * Runs a statement that answers one row: prepared under its name, or without one behind a pooler.
   * @throws LostError when the outcome is unknown; any other error means that the statement was rolled back.
   */
  async run(name: string, text: string, values: string[]): Promise<LaneRow> {
    const client = this.client
    if (!client) throw new Error('The admission path is not connected to PostgreSQL.')
    this.busy = true
    try {
      const row = await this.ask(client, name, text, values)
      return this.isPooled ? row.slice(broughtAlong.length) : row
    } catch (error) {
      if (isRolledBack(error)) throw error
      this.drop(client)
      throw new LostError(error)
    } finally {
      this.busy = false
    }
  }

  private ask(client: Client, name: string, text: string, values: string[]): Promise<LaneRow> {
    return new Promise((done, failed) => {
      const told = (error: Error | null, row: LaneRow) => (error ? failed(error) : done(row))
      client.query(this.isPooled ? new LaneQuery('', withSettings(text), values, told) : new LaneQuery(name, text, values, told))
    })
  }

  /** Cuts the connection: what is under way is lost for this process. */
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

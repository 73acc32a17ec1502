import { Socket } from 'node:net'
import { Client } from 'pg'
import type { Log } from '../log.ts'

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

/** Whether the server itself said that the statement failed and was rolled back, and the connection lives on. */
function isRolledBack(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR'
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
  busy = false

  constructor(url: string, log: Log, onReady: () => void) {
    this.url = url
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
      await client.query(
        "SET plan_cache_mode = force_generic_plan; SET jit = off; SET statement_timeout = '10s'; SET lock_timeout = '1500ms'; SET default_transaction_isolation = 'read committed'",
      )
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
   * Runs a named prepared statement that answers one row.
   * @throws LostError when the outcome is unknown; any other error means that the statement was rolled back.
   */
  async run(name: string, text: string, values: string[]): Promise<readonly string[]> {
    const client = this.client
    if (!client) throw new Error('The admission path is not connected to PostgreSQL.')
    this.busy = true
    try {
      const result = await client.query<string[]>({ name, text, values, rowMode: 'array', types: { getTypeParser: () => (value: string) => value } })
      return result.rows[0] ?? []
    } catch (error) {
      if (isRolledBack(error)) throw error
      this.drop(client)
      throw new LostError(error)
    } finally {
      this.busy = false
    }
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

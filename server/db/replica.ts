import type { Pool, PoolClient } from 'pg'
import { openPool } from './pool.ts'

export type Reader = Pool | PoolClient

/** Reads what an answer made of this version of the market may tell: that version or a newer one. */
export type VersionedReads = <Result>(marketVersion: number, read: (db: Reader) => Promise<Result>) => Promise<Result>

/** The primary has every version. */
export const fromPrimary =
  (primary: Pool): VersionedReads =>
  (_, read) =>
    read(primary)

type Log = { info: (line: string) => void; warn: (line: string) => void }

type Standing = { version: number; isStandby: boolean; behindSeconds: number }

const connections = 6
const withinMs = 3_000
const connectWithinMs = 1_000
/** A replica that failed is left alone for so long; then it is looked at beside the reads, which go to the primary meanwhile. */
const restMs = 1_000
/** What has arrived and is not applied may be so old; beyond that the replica is stuck, or far too slow. */
const mostBehindSeconds = 10

const standingSql = `SELECT market_version AS version, pg_is_in_recovery() AS "isStandby",
  CASE WHEN pg_last_wal_receive_lsn() IS DISTINCT FROM pg_last_wal_replay_lsn()
    THEN coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0) ELSE 0 END::float8 AS "behindSeconds"
  FROM service_state`

/**
 * A streaming replica for reads of history. Each read asks the replica, on the same connection, whether it has what the answer needs; where it has not, is too
 * far behind or does not answer, the read goes to the primary. A standby only moves forward, so what it had when it was asked it has when it is read.
 */
export class Replica {
  private readonly primary: Pool
  private readonly pool: Pool
  private readonly log: Log
  /** Why it is not read from; null while it is. */
  private fault: string | null = null
  private restsUntil = 0

  constructor(url: string, primary: Pool, log: Log) {
    this.primary = primary
    this.log = log
    // A broken connection shows at the next read.
    const onError = () => undefined
    this.pool = openPool({ url, max: connections, applicationName: 'svc-history', statementTimeoutMs: withinMs, connectWithinMs, onError })
  }

  /** Whether it is read from just now. */
  get isUsed(): boolean {
    return this.fault === null
  }

  readonly read: VersionedReads = async (marketVersion, read) => {
    if (this.fault !== null) void this.lookAgain()
    else {
      const found = await this.tryHere(marketVersion, read)
      if (found) return found.result
    }
    return await read(this.primary)
  }

  private async lookAgain(): Promise<void> {
    if (performance.now() < this.restsUntil) return
    this.restsUntil = performance.now() + restMs
    await this.tryHere(0, async () => null)
  }

  /** Null: not here. */
  private async tryHere<Result>(marketVersion: number, read: (db: Reader) => Promise<Result>): Promise<{ result: Result } | null> {
    try {
      return await this.withClient(async (client) => {
        const { rows } = await client.query<Standing>({ name: 'replica-standing', text: standingSql })
        const fault = faultOf(rows[0])
        this.note(fault)
        // A version that is on its way is no fault of the replica's: it arrives within milliseconds.
        const isHere = fault === null && (rows[0]?.version ?? 0) >= marketVersion
        return isHere ? { result: await read(client) } : null
      })
    } catch (error) {
      this.note(error instanceof Error ? error.message : String(error))
      return null
    }
  }

  private async withClient<Result>(use: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect()
    let broken: Error | undefined
    const onBreak = (error: Error) => {
      broken = error
    }
    client.on('error', onBreak)
    try {
      return await use(client)
    } catch (error) {
      broken ??= error instanceof Error ? error : new Error(String(error))
      throw error
    } finally {
      client.off('error', onBreak)
      client.release(broken)
    }
  }

  /** One line for each change. */
  private note(fault: string | null): void {
    if (fault !== null) this.restsUntil = performance.now() + restMs
    if (fault !== null && this.fault === null) this.log.warn(`History is read from the primary: the replica cannot be used (${fault}).`)
    if (fault === null && this.fault !== null) this.log.info('History is read from the replica again.')
    this.fault = fault
  }

  close(): Promise<void> {
    return this.pool.end()
  }
}

function faultOf(standing: Standing | undefined): string | null {
  if (!standing) return 'it holds no service_state'
  if (!standing.isStandby) return 'it is no standby'
  if (standing.behindSeconds > mostBehindSeconds) return `it is more than ${mostBehindSeconds} seconds behind`
  return null
}

import type { Pool, PoolClient } from 'pg'
import { openPool } from './pool.ts'

export type Reader = Pool | PoolClient

/** Runs a read on a database that has the given market version or a newer one. */
export type VersionedReads = <Result>(marketVersion: number, read: (db: Reader) => Promise<Result>) => Promise<Result>

/** Reads from the primary, which has every version. */
export const fromPrimary =
  (primary: Pool): VersionedReads =>
  (_, read) =>
    read(primary)

type Log = { info: (line: string) => void; warn: (line: string) => void }

type ReplicaState = { version: number; isStandby: boolean; behindSeconds: number }

const connections = 6
const statementTimeoutMs = 3_000
const connectTimeoutMs = 1_000
/** Pause before a failed replica is checked again. The check runs in the background; reads go to the primary meanwhile. */
const retryPauseMs = 1_000
/** Maximum time that the replica may be behind the changes it has received. Beyond it, the replica is stuck or too slow. */
const maxLagSeconds = 10

const stateSql = `SELECT market_version AS version, pg_is_in_recovery() AS "isStandby",
  CASE WHEN pg_last_wal_receive_lsn() IS DISTINCT FROM pg_last_wal_replay_lsn()
    THEN coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0) ELSE 0 END::float8 AS "behindSeconds"
  FROM service_state`

/**
 * Reads history from a streaming replica. Each read first checks, on the same connection, that the replica has the required version. If the replica lacks this
 * version, is too far behind or fails, the read goes to the primary. A standby never goes back in time, so a read that follows the check sees the required
 * version.
 */
export class Replica {
  private readonly primary: Pool
  private readonly pool: Pool
  private readonly log: Log
  /** Reason the replica is not in use; null while it is in use. */
  private fault: string | null = null
  private restsUntil = 0

  constructor(url: string, primary: Pool, log: Log) {
    this.primary = primary
    this.log = log
    // Nothing to do: the next read detects the broken connection.
    const onError = () => undefined
    this.pool = openPool({ url, max: connections, applicationName: 'svc-history', statementTimeoutMs, connectTimeoutMs: connectTimeoutMs, onError })
  }

  /** True if reads currently go to the replica. */
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
    this.restsUntil = performance.now() + retryPauseMs
    await this.tryHere(0, async () => null)
  }

  /** Returns null if the replica can't serve the read. */
  private async tryHere<Result>(marketVersion: number, read: (db: Reader) => Promise<Result>): Promise<{ result: Result } | null> {
    try {
      return await this.withClient(async (client) => {
        const { rows } = await client.query<ReplicaState>({ name: 'replica-standing', text: stateSql })
        const fault = findFault(rows[0])
        this.note(fault)
        // A missing version is not an error of the replica: it arrives within milliseconds.
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

  /** Logs a line when the error changes. */
  private note(fault: string | null): void {
    if (fault !== null) this.restsUntil = performance.now() + retryPauseMs
    if (fault !== null && this.fault === null) this.log.warn(`Reading history from the primary: the replica is unavailable (${fault}).`)
    if (fault === null && this.fault !== null) this.log.info('Reading history from the replica again.')
    this.fault = fault
  }

  close(): Promise<void> {
    return this.pool.end()
  }
}

function findFault(state: ReplicaState | undefined): string | null {
  if (!state) return 'it has no service_state row'
  if (!state.isStandby) return 'it is not a standby'
  if (state.behindSeconds > maxLagSeconds) return `it is more than ${maxLagSeconds} seconds behind`
  return null
}

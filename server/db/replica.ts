import { type ReplicaState, readReplicaState } from './database-probes.sql.ts'
import { openPool } from './pool.ts'
import type { Database, Db } from './prisma.ts'
import { inTransaction } from './transaction.ts'

/** Runs a read on a database that has the given market version or a newer one. */
export type VersionedReads = <Result>(marketVersion: number, read: (db: Db) => Promise<Result>) => Promise<Result>

/** Returns a `VersionedReads` that always reads from the primary, which has every version. */
export const fromPrimary =
  (primary: Database): VersionedReads =>
  (_, read) =>
    read(primary)

type Log = { info: (line: string) => void; warn: (line: string) => void }

const connections = 6
const statementTimeoutMs = 3_000
const connectTimeoutMs = 1_000
/** Pause before a failed replica is checked again. The check runs in the background; reads go to the primary meanwhile. */
const retryPauseMs = 1_000
/** Maximum time that the replica may take to apply the changes it has received. If it takes longer, it is stuck or too slow. */
const maxLagSeconds = 10

/**
 * Reads history from a streaming replica. Each read first checks, on the same connection, that the replica has the required version. If the replica lacks this
 * version, is too far behind or fails, the read goes to the primary. A standby never goes back in time, so a read that follows the check sees the required
 * version.
 */
export class Replica {
  private readonly primary: Database
  private readonly pool: Database
  private readonly log: Log
  /** Reason the replica is not in use; null while it is in use. */
  private fault: string | null = null
  private restsUntil = 0

  constructor(url: string, primary: Database, log: Log) {
    this.primary = primary
    this.log = log
    // Errors of idle connections can be ignored: the next read detects the broken connection.
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

  /** Runs a read on the replica. Returns null if the replica can't serve it. */
  private async tryHere<Result>(marketVersion: number, read: (db: Db) => Promise<Result>): Promise<{ result: Result } | null> {
    try {
      return await inTransaction(this.pool, async (tx) => {
        const state = await readReplicaState(tx)
        const fault = findFault(state)
        this.note(fault)
        // A replica that doesn't have the version yet is healthy: the version arrives within milliseconds.
        const isHere = fault === null && (state?.version ?? 0) >= marketVersion
        return isHere ? { result: await read(tx) } : null
      })
    } catch (error) {
      this.note(error instanceof Error ? error.message : String(error))
      return null
    }
  }

  /** Records whether the replica is available, and logs when that changes. */
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

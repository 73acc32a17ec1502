import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'
import { loadSnapshot, type MarketSnapshot, type VersionedReads } from '#server/market/snapshot.ts'
import { loadServiceState, refreshServiceState, type ServiceState } from '#server/metering/service-state.ts'
import { withinDeadline } from './deadline.ts'

export type ConfigSnapshot = ServiceState & { readonly market: MarketSnapshot }

const now = () => clock.now()

/**
 * In-memory snapshot of the shared state: availability and the market. If it is out of date, the admission statement returns `stale`, and the pipeline
 * refreshes the snapshot and retries.
 */
export class ConfigSnapshotHolder {
  private readonly pool: Database
  private readonly reads: VersionedReads | undefined
  private refreshing: Promise<void> | null = null
  current: ConfigSnapshot

  private constructor(pool: Database, current: ConfigSnapshot, reads?: VersionedReads) {
    this.pool = pool
    this.reads = reads
    this.current = current
  }

  /** Loads the snapshot. History is read through `reads` if given, else through the pool. */
  static async load(pool: Database, reads?: VersionedReads): Promise<ConfigSnapshotHolder> {
    const state = await loadServiceState(pool)
    return new ConfigSnapshotHolder(pool, { ...state, market: await loadSnapshot(pool, now, reads) }, reads)
  }

  /** Reloads the service state, and the market if its version has changed. Concurrent callers share one reload. */
  refresh(): Promise<void> {
    this.refreshing ??= this.read().finally(() => {
      this.refreshing = null
    })
    return this.refreshing
  }

  private async read(): Promise<void> {
    const state = await withinDeadline(refreshServiceState(this.pool, this.current))
    const market = state.marketVersion === this.current.market.version ? this.current.market : await loadSnapshot(this.pool, now, this.reads)
    this.current = { ...state, market }
  }
}

import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'
import { type DailyReads, dailyReads, loadSnapshot, type MarketSnapshot, type VersionedReads } from '#server/market/snapshot.ts'
import { loadServiceState, refreshServiceState, type ServiceState } from '#server/metering/service-state.ts'
import { withinDeadline } from './deadline.ts'

export type ConfigSnapshot = ServiceState & { readonly market: MarketSnapshot }

const now = () => clock.now()

/** Version that no database has. */
const noVersion = 0

/**
 * In-memory snapshot of the shared state: availability and the market. If it is out of date, the admission statement returns `stale`, and the pipeline
 * refreshes the snapshot and retries.
 */
export class ConfigSnapshotHolder {
  private readonly pool: Database
  private readonly reads: VersionedReads | undefined
  private readonly daily: DailyReads
  private refreshing: Promise<void> | null = null
  private invalidations = 0
  /** Value of `invalidations` when the snapshot was loaded. */
  private loadedAfter = 0
  current: ConfigSnapshot

  private constructor(pool: Database, current: ConfigSnapshot, daily: DailyReads, reads?: VersionedReads) {
    this.pool = pool
    this.reads = reads
    this.daily = daily
    this.current = current
  }

  /** Loads the snapshot. History is read through `reads` if given, else through the pool. */
  static async load(pool: Database, reads?: VersionedReads): Promise<ConfigSnapshotHolder> {
    const state = await loadServiceState(pool)
    const daily = dailyReads(pool, now)
    return new ConfigSnapshotHolder(pool, { ...state, market: await loadSnapshot(pool, now, reads, daily) }, daily, reads)
  }

  /** Reloads the service state, and the market if its version has changed. Concurrent callers share one reload. */
  refresh(): Promise<void> {
    this.refreshing ??= this.read().finally(() => {
      this.refreshing = null
    })
    return this.refreshing
  }

  /**
   * Makes the next call reload everything, even if the versions are the same. Needed once the primary is another server: after a failover that lost changes, the
   * numbers of the lost versions are used again.
   */
  invalidate(): void {
    this.invalidations++
    this.current = { ...this.current, version: noVersion }
  }

  private async read(): Promise<void> {
    const { invalidations, current } = this
    const isKnown = this.loadedAfter === invalidations
    const state = await withinDeadline(isKnown ? refreshServiceState(this.pool, current) : loadServiceState(this.pool))
    const isSameMarket = isKnown && state.marketVersion === current.market.version
    const market = isSameMarket ? current.market : await loadSnapshot(this.pool, now, this.reads, this.daily)
    const isValid = this.invalidations === invalidations
    this.current = isValid ? { ...state, market } : { ...state, market, version: noVersion }
    this.loadedAfter = invalidations
  }
}

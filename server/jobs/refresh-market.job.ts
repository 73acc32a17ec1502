import type { Pool } from 'pg'
import { clock } from '#server/clock.ts'
import type { ConfiguredSource } from '#server/market/sources/configured.ts'
import { type RefreshReport, refreshDueSources } from '#server/market/statistics/refresh.ts'
import type { Log } from '#server/observability/log.ts'
import type { Job } from './job.ts'

export type RefreshMarketOptions = {
  /** What MARKET_SOURCES names. */
  readonly sources: readonly ConfiguredSource[]
  /** Public address of this service, which publishers find in the User-Agent. */
  readonly contact: string
  readonly log: Log
}

/** The fetches of a morning may take minutes; a signal lets the service stop in between. */
type StoppableRun = { readonly run: (pool: Pool, signal?: AbortSignal) => Promise<void> }

/** Says how a fetch went. */
export function reportFetch(log: Log, { source, ...facts }: RefreshReport): void {
  if (facts.outcome === 'failed') log.warn({ source, problem: facts.error }, 'A source of market data could not be read. The data stay as they are.')
  else log.info({ source, ...facts }, 'A source of market data was read.')
}

/**
 * Fetches the configured sources each morning at 07:30 in London. It looks every minute whether something is due, so that a process that was off
 * at that time catches up, and a source that failed is tried again an hour later, four times a day in all.
 */
export function refreshMarketJob({ sources, contact, log }: RefreshMarketOptions): Job & StoppableRun {
  const run = async (pool: Pool, signal?: AbortSignal) => {
    try {
      for (const one of await refreshDueSources(pool, sources, { contact, now: () => clock.now(), signal })) reportFetch(log, one)
    } catch (error) {
      // A fetch that was broken off because the service stops is no failure.
      if (!signal?.aborted) throw error
    }
  }
  return { name: 'market.refresh', everyMs: 60_000, run }
}

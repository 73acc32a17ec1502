import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'
import type { ConfiguredSource } from '#server/market/sources/sources.ts'
import { type RefreshReport, refreshDueSources } from '#server/market/statistics/refresh.ts'
import type { Log } from '#server/observability/log.ts'
import type { Job } from './runner.ts'

export type RefreshMarketOptions = {
  /** Parsed MARKET_SOURCES. */
  readonly sources: readonly ConfiguredSource[]
  /** Public URL of this service, sent to publishers in the User-Agent. */
  readonly contact: string
  readonly log: Log
}

/** Imports can take minutes; the signal lets the service stop between sources. */
type StoppableRun = { readonly run: (pool: Database, signal?: AbortSignal) => Promise<void> }

/** Logs the outcome of an import. */
export function reportFetch(log: Log, { source, ...facts }: RefreshReport): void {
  if (facts.outcome === 'failed') log.warn({ source, problem: facts.error }, 'A market data source could not be read. The existing data is unchanged.')
  else log.info({ source, ...facts }, 'Fetched a market data source.')
}

/**
 * Fetches the configured sources each morning at 07:30 London time. Checks every minute for due sources, so that a process that was down at that time catches
 * up. A failed source is retried an hour later, up to four attempts a day.
 */
export function refreshMarketJob({ sources, contact, log }: RefreshMarketOptions): Job & StoppableRun {
  const run = async (pool: Database, signal?: AbortSignal) => {
    try {
      for (const one of await refreshDueSources(pool, sources, { contact, now: () => clock.now(), signal })) reportFetch(log, one)
    } catch (error) {
      // An import interrupted by shutdown is not a failure.
      if (!signal?.aborted) throw error
    }
  }
  return { name: 'market.refresh', everyMinutes: sources.length > 0 ? 1 : 60, maxSeconds: 3_600, run }
}

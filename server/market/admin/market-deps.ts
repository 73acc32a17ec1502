import type { Database } from '#server/db/prisma.ts'
import type { ConfiguredSource } from '../sources/sources.ts'
import type { Statistics } from '../statistics/statistics.ts'

/** Dependencies of market administration. It manages only the live market: the sample ships with each release. */
export type MarketDeps = {
  readonly pool: Database
  /** Sources named in MARKET_SOURCES. */
  readonly sources: readonly ConfiguredSource[]
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Market administration in a running service, with the public statistics that the service currently returns. */
export type ServedMarketDeps = MarketDeps & { readonly statistics: () => Statistics }

import type { Pool } from 'pg'
import type { ConfiguredSource } from '../sources/sources.ts'

/** Dependencies of market administration. It manages only the live market: the sample ships with each release. */
export type MarketDeps = {
  readonly pool: Pool
  /** Sources named in MARKET_SOURCES. */
  readonly sources: readonly ConfiguredSource[]
  /** Milliseconds since 1970. */
  readonly now: () => number
}

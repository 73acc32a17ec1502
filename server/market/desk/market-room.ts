import type { Pool } from 'pg'
import type { ConfiguredSource } from '../sources/configured.ts'

/** What the market desk works with. It looks after the live market alone: the sample comes with a release. */
export type MarketRoom = {
  readonly pool: Pool
  /** What MARKET_SOURCES names. */
  readonly sources: readonly ConfiguredSource[]
  /** Milliseconds since 1970. */
  readonly now: () => number
}

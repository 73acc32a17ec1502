import type { Prisma } from '#server/db/generated/client.ts'
import type { Database } from '#server/db/prisma.ts'
import type { ProductFilters } from '#server/market/product-filters.ts'
import type { MarketSnapshot, MarketView } from '#server/market/snapshot.ts'
import type { Log } from '#server/observability/log.ts'

/** Filters of an alert: query parameters of /rates, as text. */
export type AlertFilter = Readonly<Record<string, string>>

/** Columns with an alert's filters and notification settings. */
export const alertColumns = {
  name: true,
  kind: true,
  filter: true,
  providers: true,
  frequency: true,
  byEmail: true,
  byWebhook: true,
} as const satisfies Prisma.MarketAlertSelect

/** Parser of the filters of /rates. */
export type FilterParser = {
  /** Checks filters in the same way as /rates. Returns an error message that names the parameter; null if the filters are valid. */
  readonly findFault: (filter: AlertFilter, market: MarketView) => string | null
  /** Converts filters that were checked when they were saved. Providers that have since become inactive match no products. */
  readonly convert: (filter: AlertFilter) => ProductFilters
}

/** Dependencies of market alerts. */
export type AlertDeps = {
  readonly pool: Database
  readonly log: Log
  /** Service secret, from which the key that signs unsubscribe links is derived. */
  readonly secret: string
  /** Returns this process's snapshot of the market, which may be a few seconds old. */
  readonly current: () => MarketSnapshot
  /** Refreshes this process's snapshot of the market and returns it. */
  readonly latest: () => Promise<MarketSnapshot>
  readonly filters: FilterParser
}

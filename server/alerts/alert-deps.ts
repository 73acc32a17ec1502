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
  /** Checks filters as /rates does. Returns what is wrong with them, naming the parameter; null if they are valid. */
  readonly findFault: (filter: AlertFilter, market: MarketView) => string | null
  /** Converts filters that were checked when they were saved. Providers that have become inactive since match no products. */
  readonly convert: (filter: AlertFilter) => ProductFilters
}

/** Dependencies of market alerts. */
export type AlertDeps = {
  readonly pool: Database
  readonly log: Log
  /** Secret of the service, from which the key of unsubscribe links is derived. */
  readonly secret: string
  /** Returns the market of this process, which can be seconds old. */
  readonly current: () => MarketSnapshot
  /** Refreshes the market of this process and returns it. */
  readonly latest: () => Promise<MarketSnapshot>
  readonly filters: FilterParser
}

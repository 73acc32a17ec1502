import type { FeedKind } from '../import/feed-kind.ts'

/**
 * Value of a series on a day, as exact decimal text. A monthly value is dated by the last day of the month; for an exchange rate, the series is the currency.
 */
export type Observation = { readonly series: string; readonly date: string; readonly value: string }

/** Parsed file: its observations and, if stated, its release dates. */
export type Reading = {
  readonly observations: readonly Observation[]
  readonly releasedOn?: string | null
  readonly nextReleaseOn?: string | null
}

/** Fetch settings of a source. */
export type Fetchable = {
  /** Name in `MARKET_SOURCES`. */
  readonly name: string
  readonly format: 'csv' | 'xml' | 'json' | 'ndjson'
  /** True if the publisher blocks user agents that aren't browsers. */
  readonly needsBrowser?: true
}

/** Metadata of a source: publisher, licence, expected freshness. */
type Described = Fetchable & {
  /** Source name shown to API callers. */
  readonly title: string
  readonly licence: string
  /** Age in days after which the newest value is stale, based on the publication schedule. */
  readonly freshDays: number
}

/** Publisher's file of public statistics: its URL and parser. */
export type Source = Described & {
  readonly url: string
  /** Statistics are percentages by series; exchange rates are units of a currency per pound. */
  readonly kind: 'statistic' | 'exchange-rate'
  /** Series read from the file; others are ignored. Empty: all currencies in the reference list. */
  readonly series: readonly string[]
  /** @throws SourceError if the text isn't in the publisher's format. */
  readonly parse: (text: string) => Reading
}

/** Feed of market data in our own format, at a URL set by the operator. */
export type FeedSource = Described & { readonly kind: 'feed'; readonly feed: FeedKind }

const formatAdvice = 'If the publisher changed the format, update the adapter in server/market/sources. If the file was truncated, the next fetch will fix it.'

/** Thrown if a source can't be read. States the problem and what to do. Stored data is unchanged. */
export class SourceError extends Error {
  override name = 'SourceError'

  constructor(problem: string, advice: string = formatAdvice, options?: ErrorOptions) {
    super(`${problem} ${advice}`, options)
  }
}

export const openGovernmentLicence = 'Open Government Licence v3.0'

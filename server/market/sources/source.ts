import type { FeedKind } from '../import/feed-kind.ts'

/** One value of a series on one day, as exact decimal text. A month is dated by its last day; a rate of exchange has the currency for its series. */
export type Observation = { readonly series: string; readonly date: string; readonly value: string }

/** What a file says: its observations, and when it was and will be released, where it tells. */
export type Reading = {
  readonly observations: readonly Observation[]
  readonly releasedOn?: string | null
  readonly nextReleaseOn?: string | null
}

/** How a file is fetched, whatever is in it. */
export type Fetchable = {
  /** What `MARKET_SOURCES` calls it. */
  readonly name: string
  readonly format: 'csv' | 'xml' | 'json' | 'ndjson'
  /** Whether the publisher turns programs away that do not present themselves as a browser. */
  readonly needsBrowser?: true
}

/** What every source says of itself: who publishes it, what may be done with it, how often it is new. */
type Described = Fetchable & {
  /** What callers of the API read as the source. */
  readonly title: string
  readonly licence: string
  /** Age in days beyond which the newest value is stale, by the rhythm in which the source publishes. */
  readonly freshDays: number
}

/** A publisher's file of public statistics: where it is and how it is read. */
export type Source = Described & {
  readonly url: string
  /** Statistics are percentages by series; exchange rates are units of a currency for one pound. */
  readonly kind: 'statistic' | 'exchange-rate'
  /** The series that are taken from the file; others are left. Empty: every currency of the reference list. */
  readonly series: readonly string[]
  /** @throws SourceError when the text is not what the publisher's format promises. */
  readonly parse: (text: string) => Reading
}

/** A feed of market data in our own format, at an address that the operator gives. */
export type FeedSource = Described & { readonly kind: 'feed'; readonly feed: FeedKind }

const formatAdvice =
  'If the publisher changed the format, the adapter in server/market/sources has to follow; if the file was cut off, the next fetch mends it.'

/** A source could not be read: what is wrong and what to do about it, in sentences. The data that stand are not touched. */
export class SourceError extends Error {
  override name = 'SourceError'

  constructor(problem: string, advice: string = formatAdvice, options?: ErrorOptions) {
    super(`${problem} ${advice}`, options)
  }
}

export const openGovernmentLicence = 'Open Government Licence v3.0'

/** One value of a series on one day, as exact decimal text. A month is dated by its last day; a rate of exchange has the currency for its series. */
export type Observation = { readonly series: string; readonly date: string; readonly value: string }

/** What a file says: its observations, and when it was and will be released, where it tells. */
export type Reading = {
  readonly observations: readonly Observation[]
  readonly releasedOn?: string | null
  readonly nextReleaseOn?: string | null
}

/** A publisher's file: where it is, what may be done with it and how it is read. */
export type Source = {
  /** What `MARKET_SOURCES` calls it. */
  readonly name: string
  /** What callers of the API read as the source. */
  readonly title: string
  readonly url: string
  readonly licence: string
  readonly format: 'csv' | 'xml' | 'json'
  /** Statistics are percentages by series; exchange rates are units of a currency for one pound. */
  readonly kind: 'statistic' | 'exchange-rate'
  /** The series that are taken from the file; others are left. Empty: every currency of the reference list. */
  readonly series: readonly string[]
  /** Age in days beyond which the newest value is stale, by the rhythm in which the source publishes. */
  readonly freshDays: number
  /** Whether the publisher turns programs away that do not present themselves as a browser. */
  readonly needsBrowser?: true
  /** @throws SourceError when the text is not what the publisher's format promises. */
  readonly parse: (text: string) => Reading
}

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

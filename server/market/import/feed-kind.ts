/** What a feed can hold. One feed holds one kind. All but the last bring the rows of a table up to date; past changes of rates are added to history. */
export const feedKinds = ['provider', 'product', 'card', 'switch_offer', 'account_offer', 'service_quality', 'rate_history'] as const

export type FeedKind = (typeof feedKinds)[number]

/** A kind whose feed says what a table is to hold. */
export type TableKind = Exclude<FeedKind, 'rate_history'>

export function isFeedKind(value: unknown): value is FeedKind {
  return feedKinds.some((kind) => kind === value)
}

/** The kind that a file is named for: `providers.ndjson`, `product-2026-11-21.csv`, `/data/Cards.csv`, `switch-offers.ndjson`. */
export function kindOfFileName(fileName: string): FeedKind | undefined {
  const name = fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1).toLowerCase()
  return feedKinds.find((kind) => new RegExp(`^${kind.replace('_', '[-_ ]?')}s?(?![a-z])`).test(name))
}

/** The kind that only its own fields give away, for a feed that neither says its kind nor is named for it. */
export function kindOfFields(fields: Iterable<string>): FeedKind | undefined {
  const names = new Set(fields)
  if (names.has('bonusAmount')) return 'switch_offer'
  if (names.has('offerKey')) return 'account_offer'
  if (names.has('providersRanked')) return 'service_quality'
  if (names.has('effectiveDate')) return 'rate_history'
  if (names.has('accountType')) return 'product'
  if (names.has('licenceGroup')) return 'provider'
  return names.has('list') ? 'card' : undefined
}

/**
 * Place of a file among several that are imported together: providers before everything that names them.
 * Files whose name does not tell come last, in the order given.
 */
export function feedOrder(fileName: string): number {
  const kind = kindOfFileName(fileName)
  return kind === undefined ? feedKinds.length : feedKinds.indexOf(kind)
}

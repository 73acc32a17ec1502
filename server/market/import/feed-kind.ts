/** Kinds of feed. A feed has exactly one kind. `rate_history` adds to history; every other kind updates the rows of a table. */
export const feedKinds = ['provider', 'product', 'card', 'switch_offer', 'account_offer', 'service_quality', 'rate_history'] as const

export type FeedKind = (typeof feedKinds)[number]

/** Feed kind whose feeds update the rows of a table. */
export type TableKind = Exclude<FeedKind, 'rate_history'>

export function isFeedKind(value: unknown): value is FeedKind {
  return feedKinds.some((kind) => kind === value)
}

/** Infers the kind from a file name: `providers.ndjson`, `product-2026-11-21.csv`, `/data/Cards.csv`, `switch-offers.ndjson`. */
export function kindOfFileName(fileName: string): FeedKind | undefined {
  const name = fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1).toLowerCase()
  return feedKinds.find((kind) => new RegExp(`^${kind.replace('_', '[-_ ]?')}s?(?![a-z])`).test(name))
}

/** Distinctive fields of each kind, in order of precedence. */
const distinctive = {
  ...({ bonusAmount: 'switch_offer', offerKey: 'account_offer', providersRanked: 'service_quality', effectiveDate: 'rate_history' } as const),
  ...({ accountType: 'product', licenceGroup: 'provider', list: 'card' } as const),
}

/** Infers the kind from a feed's distinctive fields, if the feed doesn't state its kind and the file name doesn't imply one. */
export function kindOfFields(fields: readonly string[]): FeedKind | undefined {
  return Object.entries(distinctive).find(([field]) => fields.includes(field))?.[1]
}

/**
 * Returns the position of a file among files imported together: providers come before everything that references them. Files of unknown kind come last, in the
 * given order.
 */
export function feedOrder(fileName: string): number {
  const kind = kindOfFileName(fileName)
  return kind === undefined ? feedKinds.length : feedKinds.indexOf(kind)
}

import { byText, type Issuer, type ListOrder, type Move, type Moves } from './keyset-pager.ts'
import type { Product } from './product.ts'
import { rateOrder } from './ranked-list.ts'

/** Sort orders with a numeric sort value. A leading hyphen means highest first. */
export const numericSorts = ['-rate', 'rate', 'updatedAt', '-updatedAt', 'minBalance', '-minBalance'] as const

export type NumericSort = (typeof numericSorts)[number]

type Order<Place> = {
  readonly order: ListOrder<Product, Place>
  /** Returns the recent changes of sort values, which keep the order stable during pagination. */
  readonly moves: (moves: Moves, products: readonly Product[]) => readonly Move<Place>[]
}

const getKey = ({ sourceKey }: Product) => sourceKey
const ascending = (a: number, b: number) => a - b
const descending = (a: number, b: number) => b - a
const updated = ({ updatedAt }: Product) => Date.parse(updatedAt)

/**
 * A product that changes during pagination moves to the end of the list, in either direction: oldest first, because it is now the newest; newest first,
 * because its previous time isn't stored. So it is never missed, and may be returned twice.
 */
const toEnd = (products: readonly Product[], sinceMs = 0) =>
  products.filter((product) => updated(product) >= sinceMs).map((product) => ({ seq: updated(product), key: product.sourceKey, from: 0 }))

const numericOrders: Readonly<Record<NumericSort, Order<number>>> = {
  '-rate': { order: rateOrder, moves: ({ products }) => products },
  rate: { order: { ...rateOrder, compare: ascending }, moves: ({ products }) => products },
  updatedAt: { order: { sortValue: updated, getKey, compare: ascending }, moves: () => [] },
  '-updatedAt': { order: { sortValue: updated, getKey, compare: descending }, moves: ({ sinceMs }, products) => toEnd(products, sinceMs) },
  minBalance: { order: { sortValue: ({ minBalancePence }) => minBalancePence, getKey, compare: ascending }, moves: ({ minBalances = [] }) => minBalances },
  '-minBalance': { order: { sortValue: ({ minBalancePence }) => minBalancePence, getKey, compare: descending }, moves: ({ minBalances = [] }) => minBalances },
}

export const getNumericOrder = (sort: NumericSort): Order<number> => numericOrders[sort]

const names = new Intl.Collator('en-GB')

/** Returns the provider of a product before a change with number `seq`. `changes` are its changes of provider, in ascending order. */
const issuerAt = ({ providerSlug }: Product, changes: readonly Move<Issuer>[], seq: number) =>
  changes.find((change) => change.seq > seq)?.from.slug ?? providerSlug

/**
 * Sorts products by the name of their provider, in English alphabetical order. A product changes position if it moves to another provider or its provider is
 * renamed.
 */
export const providerOrder: Order<string> = {
  order: { sortValue: ({ provider }) => provider, getKey, compare: names.compare },
  moves: ({ providers, issuers = [] }, products) => {
    const changesByKey = Map.groupBy(
      issuers.toSorted((a, b) => a.seq - b.seq),
      ({ key }) => key,
    )
    const offered = Map.groupBy(
      products.filter(({ sourceKey }) => !changesByKey.has(sourceKey)),
      ({ providerSlug }) => providerSlug,
    )
    const moved = products.filter(({ sourceKey }) => changesByKey.has(sourceKey))
    const renamed = providers.flatMap(({ seq, key: slug, from }) =>
      [...(offered.get(slug) ?? []), ...moved.filter((product) => issuerAt(product, changesByKey.get(product.sourceKey) ?? [], seq) === slug)].map(
        ({ sourceKey }) => ({ seq, key: sourceKey, from }),
      ),
    )
    return [...renamed, ...issuers.map(({ seq, key, from }) => ({ seq, key, from: from.name }))]
  },
}

/** Returns the rank of each row by sort value; equal values share a rank. Compares each distinct value only once, because comparing names is slow. */
function getRanks<Row, Place>(rows: readonly Row[], { sortValue, compare }: ListOrder<Row, Place>): number[] {
  const values = rows.map(sortValue)
  const ranks = new Map<Place, number>()
  let rank = 0
  let before: Place | undefined
  for (const value of [...new Set(values)].sort(compare)) {
    if (before !== undefined && compare(before, value) !== 0) rank++
    ranks.set(value, rank)
    before = value
  }
  return values.map((value) => ranks.get(value) ?? 0)
}

/** Returns the indices of rows in the order of their keys. */
export function placesByKey<Row>(rows: readonly Row[], getRowKey: (row: Row) => string): Uint32Array {
  const keys = rows.map((row, place) => ({ key: getRowKey(row), place })).sort((a, b) => byText(a.key, b.key))
  return Uint32Array.from(keys.map(({ place }) => place))
}

/** Returns the indices of rows in sorted order. `byKey` contains the indices in key order, which breaks ties. */
export function sortedPlaces<Row, Place>(rows: readonly Row[], order: ListOrder<Row, Place>, byKey: Uint32Array): Uint32Array {
  const ranks = getRanks(rows, order)
  // One number for both criteria, because sorting numbers is much faster than calling a function.
  const combined = new Float64Array(rows.length)
  for (const [keyRank, place] of byKey.entries()) combined[keyRank] = (ranks[place] ?? 0) * rows.length + keyRank
  combined.sort()
  const places = new Uint32Array(rows.length)
  for (const [at, value] of combined.entries()) places[at] = byKey[value % rows.length] ?? 0
  return places
}

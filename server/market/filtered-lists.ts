import { LRUCache } from 'lru-cache'
import { KeysetPager, type Moves } from './keyset-pager.ts'
import { NameSearch } from './name-search.ts'
import type { Product } from './product.ts'
import { conditionsKey, getConditions, type Lookups, type TableFilters } from './product-filters.ts'
import { getNumericOrder, type NumericSort, placesByKey, providerOrder, sortedPlaces } from './product-sorts.ts'
import { ProductTable } from './product-table.ts'

/** Maximum rows cached, per set of products: 8 MB of references and 4 MB of indices. Small markets cache fewer, because several of them may be in memory. */
const getMaxCachedRows = (rows: number): number => Math.min(1_000_000, 10_000 + 100 * rows)

type Sort = NumericSort | 'provider' | 'sourceKey'

/** Returns the size of a cached list in rows. Counts the key too, because lists without rows could otherwise fill the memory. */
const getSize = ({ length }: ArrayLike<unknown>, key: string) => length + Math.ceil(key.length / 8) + 16

/** Filtered and sorted lists of a set of products. Orders are sorted on first use. Filtered lists are cached, because a list is usually read page by page. */
export class FilteredLists {
  readonly #table: ProductTable
  readonly #moves: Moves
  readonly #cached: LRUCache<string, readonly Product[]>
  readonly #selected: LRUCache<string, Uint32Array>
  readonly #places = new Map<Sort, Uint32Array>()
  readonly #pagers = new Map<NumericSort, KeysetPager<Product, number>>()
  #providerPager: KeysetPager<Product, string> | undefined
  #search: NameSearch | undefined
  #byKey: Uint32Array | undefined

  /** `rows` are sorted by rate, best first. */
  constructor(rows: readonly Product[], moves: Moves) {
    this.#table = new ProductTable(rows)
    const maxSize = getMaxCachedRows(rows.length)
    this.#cached = new LRUCache<string, readonly Product[]>({ maxSize, sizeCalculation: getSize })
    this.#selected = new LRUCache<string, Uint32Array>({ maxSize, sizeCalculation: getSize })
    this.#moves = moves
  }

  #getConditions(filters: TableFilters, lookups: Omit<Lookups, 'search'>) {
    return getConditions(this.#table, filters, { ...lookups, search: () => this.#getSearch() })
  }

  #take(places: Uint32Array, sort: Sort): Product[] {
    return this.#table.take(sort === '-rate' ? places : inPlaceOrder(places, this.#getPlaces(sort)))
  }

  /** Returns the products that match the filters, in the given order, without caching them. For lists that are read in full and only once. */
  read(filters: TableFilters, sort: Sort, lookups: Omit<Lookups, 'search'>): readonly Product[] {
    return this.#take(this.#table.select(this.#getConditions(filters, lookups)), sort)
  }

  /** Returns the products that match the filters, in the given order. */
  select(filters: TableFilters, sort: Sort, lookups: Omit<Lookups, 'search'>): readonly Product[] {
    const conditions = this.#getConditions(filters, lookups)
    const selectedKey = conditionsKey(conditions)
    const key = `${sort} ${selectedKey}`
    const known = this.#cached.get(key)
    if (known) return known
    const places = this.#selected.get(selectedKey) ?? this.#table.select(conditions)
    this.#selected.set(selectedKey, places)
    const rows = this.#take(places, sort)
    this.#cached.set(key, rows)
    return rows
  }

  #getSearch(): NameSearch {
    this.#search ??= new NameSearch(this.#table)
    return this.#search
  }

  #getPlaces(sort: Sort): Uint32Array {
    const known = this.#places.get(sort)
    if (known) return known
    const { rows } = this.#table
    this.#byKey ??= placesByKey(rows, ({ sourceKey }) => sourceKey)
    if (sort === 'sourceKey') return this.#byKey
    const places = sort === 'provider' ? sortedPlaces(rows, providerOrder.order, this.#byKey) : sortedPlaces(rows, getNumericOrder(sort).order, this.#byKey)
    this.#places.set(sort, places)
    return places
  }

  getPager(sort: NumericSort): KeysetPager<Product, number> {
    const known = this.#pagers.get(sort)
    if (known) return known
    const { order, moves } = getNumericOrder(sort)
    const pager = new KeysetPager(order, moves(this.#moves, this.#table.rows))
    this.#pagers.set(sort, pager)
    return pager
  }

  getProviderPager(): KeysetPager<Product, string> {
    this.#providerPager ??= new KeysetPager(providerOrder.order, providerOrder.moves(this.#moves, this.#table.rows))
    return this.#providerPager
  }
}

/** Sorts some indices by their position in `order`, which contains every index once. */
function inPlaceOrder(places: Uint32Array, order: Uint32Array): Uint32Array {
  const isIn = new Uint8Array(order.length)
  for (const place of places) isIn[place] = 1
  const sorted = new Uint32Array(places.length)
  let count = 0
  for (const place of order) {
    if (isIn[place] !== 1) continue
    sorted[count] = place
    count++
  }
  return sorted
}

import type { AccountType } from '#server/api/contract/account-types.ts'
import type { ChangesQuery } from './changes-query.ts'
import { FilteredLists } from './filtered-lists.ts'
import { byText, type CursorPage, inOrder, type Moves, type PageCursor } from './keyset-pager.ts'
import { payableTaxYear } from './payable.ts'
import type { Match, Product } from './product.ts'
import { hasOtherFilters, type ProductFilters } from './product-filters.ts'
import type { NumericSort } from './product-sorts.ts'
import type { Provider } from './provider.ts'
import { AcceptingLists, type Asked, matchReasons, rankRate, rateOrder } from './ranked-list.ts'
import { londonDay } from './sources/calendar.ts'

/** Maximum rows cached by the amount filter, per view: 16 MB of references. */
const maxCachedRows = 2_000_000

const listName = (type: AccountType, provider: string | undefined) => `${type} ${provider ?? ''}`

type PageQuery<Place> = ProductFilters &
  ChangesQuery & {
    /** Row to continue after. It may no longer exist. */
    readonly after?: PageCursor<Place> | null | undefined
    readonly limit: number
  }

/** Query of the rates list. `type` defaults to `all`, `sort` to the best rate first. */
export type ProductQuery = PageQuery<number> & { readonly sort?: NumericSort | undefined }

/** Query of the rates list, sorted by provider. */
export type ProviderSortedQuery = PageQuery<string>

type FindProvider = (slug: string) => Pick<Provider, 'name' | 'licenceGroup'> | undefined

export type ProductSource = {
  readonly products: readonly Product[]
  /** Recently withdrawn products. */
  readonly withdrawn: readonly Product[]
  readonly moves: Moves
  readonly findProvider: FindProvider
  readonly now: () => number
}

/** Selection of rows: filters, and the limit to changes. */
type Selection = ProductFilters & ChangesQuery

/** Products of a dataset in all orders. Lists by type and provider are sorted at construction, best rate first. */
export class ProductLists {
  readonly byKey: ReadonlyMap<string, Product>
  readonly #source: ProductSource
  /** Products by type and provider, best rate first. Also contains a list of all types for each provider, and lists that span all providers. */
  readonly #ranked = new Map<string, Product[]>()
  readonly #reference = new Map<string, readonly Product[]>()
  readonly #accepting = new AcceptingLists(maxCachedRows)
  readonly #listed: FilteredLists
  #withWithdrawn: FilteredLists | undefined

  constructor(source: ProductSource) {
    const { products, moves } = source
    this.#source = source
    this.byKey = new Map(products.map((product) => [product.sourceKey, product]))
    const ranked = inOrder(products, rateOrder)
    this.#listed = new FilteredLists(ranked, moves)
    this.#rank(ranked)
  }

  /** Adds each product to all lists that it belongs to. */
  #rank(products: readonly Product[]): void {
    for (const product of products) {
      const { accountType, providerSlug } = product
      for (const name of [listName('all', undefined), listName(accountType, undefined), listName('all', providerSlug), listName(accountType, providerSlug)]) {
        const list = this.#ranked.get(name)
        if (list) list.push(product)
        else this.#ranked.set(name, [product])
      }
    }
  }

  list(type: AccountType, provider: string | undefined): readonly Product[] {
    return this.#ranked.get(listName(type, provider)) ?? []
  }

  get #lookups() {
    const { findProvider, now } = this.#source
    return { licenceGroup: (slug: string) => findProvider(slug)?.licenceGroup, taxYear: payableTaxYear(londonDay(now())) }
  }

  /** Returns the listed products that match the filters, best rate first. */
  #matching(filters: ProductFilters): readonly Product[] {
    const { type = 'all', provider, amountPence } = filters
    if (hasOtherFilters(filters)) return this.#listed.select(filters, '-rate', this.#lookups)
    const list = this.list(type, provider)
    // Skip lists that don't exist: results are cached by name, so invented slugs could fill the cache.
    return amountPence === undefined || list.length === 0 ? list : this.#accepting.of(listName(type, provider), list, amountPence)
  }

  /** Returns the lists of the listed products, or of all products including withdrawn ones. */
  #lists({ withWithdrawn = false }: ChangesQuery): FilteredLists {
    if (!withWithdrawn) return this.#listed
    const { products, withdrawn, moves } = this.#source
    this.#withWithdrawn ??= new FilteredLists(inOrder([...products, ...withdrawn], rateOrder), moves)
    return this.#withWithdrawn
  }

  #select({ withWithdrawn, ...filters }: Selection, sort: NumericSort | 'provider'): readonly Product[] {
    if (sort === '-rate' && !withWithdrawn && filters.changedAfter === undefined) return this.#matching(filters)
    return this.#lists({ withWithdrawn }).select(filters, sort, this.#lookups)
  }

  /** Adds the match reasons to a page. Ranks are by rate, among all listed products that match the filters, even those that haven't changed. */
  #explain<Place>(page: CursorPage<Product, Place>, { changedAfter: _, withWithdrawn: __, ...filters }: Selection): CursorPage<Match, Place> {
    const ranked = this.#matching(filters)
    const { type = 'all', provider } = filters
    const { taxYear } = this.#lookups
    const asked: Asked = { ...filters, among: type, type, taxYear, provider: provider === undefined ? undefined : this.#source.findProvider(provider)?.name }
    const explain = (product: Product) =>
      product.withdrawnAt === undefined
        ? matchReasons(product, rankRate(ranked, product.rateBp), asked)
        : [`Withdrawn on ${londonDay(Date.parse(product.withdrawnAt))}`]
    return { ...page, rows: page.rows.map((product) => ({ product, reasons: explain(product) })) }
  }

  /** Returns a page of products with match reasons, by default best rate first. */
  page({ sort = '-rate', after = null, limit, ...selection }: ProductQuery): CursorPage<Match, number> {
    return this.#explain(this.#lists(selection).getPager(sort).page(this.#select(selection, sort), after, limit), selection)
  }

  /** Returns a page of products with match reasons, by name of their provider. */
  pageByProvider({ after = null, limit, ...selection }: ProviderSortedQuery): CursorPage<Match, string> {
    return this.#explain(this.#lists(selection).getProviderPager().page(this.#select(selection, 'provider'), after, limit), selection)
  }

  /** Returns a product with its rank among all accounts of its type; undefined if it doesn't exist or was withdrawn. */
  product(sourceKey: string): Match | undefined {
    const product = this.byKey.get(sourceKey)
    if (!product) return undefined
    const among = product.accountType
    return { product, reasons: matchReasons(product, rankRate(this.list(among, undefined), product.rateBp), { among, taxYear: this.#lookups.taxYear }) }
  }

  /** Returns the products that match the filters, sorted by source key, so that the order doesn't change with rates. */
  reference(filters: ProductFilters): readonly Product[] {
    if (hasOtherFilters(filters) || filters.amountPence !== undefined) return this.#listed.read(filters, 'sourceKey', this.#lookups)
    const { type = 'all', provider } = filters
    const name = listName(type, provider)
    const known = this.#reference.get(name)
    if (known) return known
    const sorted = [...this.list(type, provider)].sort((a, b) => byText(a.sourceKey, b.sourceKey))
    // Cache only lists that exist, so that invented slugs don't fill the cache.
    if (sorted.length > 0) this.#reference.set(name, sorted)
    return sorted
  }
}

import type { AccountType } from '#server/api/contract/account-types.ts'
import { type Card, feeOrder, type RewardCard, supportsCurrency, type TravelCard } from './cards.ts'
import { MarketFigures } from './figures/market-figures.ts'
import { type Movement, noMovement } from './figures/movement.ts'
import { noHistory, type RateHistory } from './history/rate-history.ts'
import { byText, type CursorPage, inOrder, KeysetPager, type Moves, noMoves, type PageCursor } from './keyset-pager.ts'
import { type AccountOffer, bonusOrder, offerStatus, type SwitchOffer } from './offers.ts'
import type { Match, Product, ProductLink } from './product.ts'
import { type DirectoryEntry, type Provider, ProviderDirectory, type ServiceSurvey } from './provider.ts'
import { AcceptingLists, type Asked, matchReasons, rankRate, rateOrder } from './ranked-list.ts'
import { noStatistics, type Statistics } from './statistics/statistics.ts'

/** Filters for the rates list. `type` defaults to `all`. Amounts in pence. */
export type ProductQuery = {
  readonly type?: AccountType | undefined
  /** Provider slug. An unknown slug matches no products. */
  readonly provider?: string | undefined
  readonly amountPence?: number | undefined
  /** Row to continue after. It may no longer exist. */
  readonly after?: PageCursor<number> | null | undefined
  readonly limit: number
}

export type MarketContent = {
  readonly providers: readonly Provider[]
  readonly products: readonly Product[]
  /** All cards, including cards without terms, which are on neither list. */
  readonly cards: readonly Card[]
  readonly rewardCards?: readonly RewardCard[]
  readonly travelCards?: readonly TravelCard[]
  readonly switchOffers?: readonly SwitchOffer[]
  readonly accountOffers?: readonly AccountOffer[]
  readonly surveys?: readonly ServiceSurvey[]
  /** Public statistics, the same for every dataset. */
  readonly statistics?: Statistics
  readonly movement?: Movement
  /** Recent changes of sort values, which keep the order stable during pagination. */
  readonly moves?: Moves
  readonly history?: RateHistory
  /** Returns the current time in milliseconds since 1970. */
  readonly now?: () => number
}

/** Maximum rows cached by the amount filter, per view: 16 MB of references. */
const maxCachedRows = 2_000_000

const listName = (type: AccountType, provider: string | undefined) => `${type} ${provider ?? ''}`

/**
 * Immutable in-memory view of one dataset: active providers, their products, cards, offers and surveys. Everything is sorted at construction, so two binary
 * searches are enough to find the rows of a page.
 */
export class MarketView {
  readonly statistics: Statistics
  /** Rate history, read from the database on demand. */
  readonly history: RateHistory
  /** Averages, counts and shares over the dataset. */
  readonly figures: MarketFigures
  readonly #directory: ProviderDirectory
  readonly #byKey: ReadonlyMap<string, Product>
  readonly #cards: readonly Card[]
  readonly #rewardCards: readonly RewardCard[]
  readonly #travelCards: readonly TravelCard[]
  readonly #switchOffers: readonly SwitchOffer[]
  readonly #accountOffers: readonly AccountOffer[]
  readonly #surveys: readonly ServiceSurvey[]
  /** Products by type and provider, best rate first. Also contains a list of all types for each provider, and lists that span all providers. */
  readonly #ranked = new Map<string, Product[]>()
  readonly #reference = new Map<string, readonly Product[]>()
  readonly #accepting = new AcceptingLists(maxCachedRows)
  readonly #ratePager: KeysetPager<Product, number>
  readonly #feePager: KeysetPager<TravelCard, number>
  readonly #bonusPager: KeysetPager<SwitchOffer, number>

  constructor({
    providers,
    products,
    cards,
    rewardCards = [],
    travelCards = [],
    switchOffers = [],
    accountOffers = [],
    surveys = [],
    statistics = noStatistics,
    movement = noMovement,
    moves = noMoves,
    history = noHistory,
    now = Date.now,
  }: MarketContent) {
    this.statistics = statistics
    this.#ratePager = new KeysetPager(rateOrder, moves.products)
    this.#feePager = new KeysetPager(feeOrder, moves.cards)
    this.#bonusPager = new KeysetPager(bonusOrder, moves.switchOffers)
    this.history = history
    this.#directory = new ProviderDirectory(providers, products, moves.providers)
    this.#byKey = new Map(products.map((product) => [product.sourceKey, product]))
    this.#cards = [...cards].sort((a, b) => byText(a.sourceKey, b.sourceKey))
    this.#rewardCards = [...rewardCards].sort((a, b) => byText(a.sourceKey, b.sourceKey))
    this.#travelCards = inOrder(travelCards, feeOrder)
    this.#switchOffers = inOrder(switchOffers, bonusOrder)
    this.#accountOffers = [...accountOffers].sort((a, b) => byText(a.offerKey, b.offerKey))
    this.#surveys = [...surveys].sort((a, b) => byText(a.region, b.region))
    this.#rank(products)
    this.figures = new MarketFigures({
      ranked: (type) => this.#list(type, undefined),
      providers: this.#directory.bySlug,
      rewardCards: this.#rewardCards,
      travelCards: this.#travelCards,
      movement,
      statistics,
      now,
    })
  }

  /** Sorts the products once, then adds each of them to all lists that it belongs to. */
  #rank(products: readonly Product[]): void {
    for (const product of inOrder(products, rateOrder)) {
      const { accountType, providerSlug } = product
      for (const name of [listName('all', undefined), listName(accountType, undefined), listName('all', providerSlug), listName(accountType, providerSlug)]) {
        const list = this.#ranked.get(name)
        if (list) list.push(product)
        else this.#ranked.set(name, [product])
      }
    }
  }

  #list(type: AccountType, provider: string | undefined): readonly Product[] {
    return this.#ranked.get(listName(type, provider)) ?? []
  }

  get productCount(): number {
    return this.#byKey.size
  }

  /** Returns a page of products, best rate first, with match reasons. Ranks are among all products that match the filters. */
  products({ type = 'all', provider, amountPence, after = null, limit }: ProductQuery): CursorPage<Match, number> {
    const list = this.#list(type, provider)
    // Skip lists that don't exist: results are cached by name, so invented slugs could fill the cache.
    const rows = amountPence === undefined || list.length === 0 ? list : this.#accepting.of(listName(type, provider), list, amountPence)
    const page = this.#ratePager.page(rows, after, limit)
    const asked: Asked = { among: type, type, amountPence, provider: provider === undefined ? undefined : this.#directory.bySlug.get(provider)?.name }
    return { ...page, rows: page.rows.map((product) => ({ product, reasons: matchReasons(product, rankRate(rows, product.rateBp), asked) })) }
  }

  /** Returns a product with its rank among all accounts of its type; undefined if it doesn't exist or was withdrawn. */
  product(sourceKey: string): Match | undefined {
    const product = this.#byKey.get(sourceKey)
    if (!product) return undefined
    const among = product.accountType
    return { product, reasons: matchReasons(product, rankRate(this.#list(among, undefined), product.rateBp), { among }) }
  }

  /** Returns the URL of a product's page on the provider's website; undefined if the product doesn't exist or was withdrawn. */
  link(sourceKey: string): ProductLink | undefined {
    const product = this.#byKey.get(sourceKey)
    if (!product) return undefined
    const { provider, providerSlug, accountName, url, urlCheckedAt } = product
    return { sourceKey, provider, providerSlug, accountName, url, checkedAt: urlCheckedAt }
  }

  /** Returns the products of a type and provider, sorted by source key, so that the order doesn't change with rates. */
  referenceProducts({ type = 'all', provider }: Pick<ProductQuery, 'type' | 'provider'>): readonly Product[] {
    const name = listName(type, provider)
    const known = this.#reference.get(name)
    if (known) return known
    const sorted = [...this.#list(type, provider)].sort((a, b) => byText(a.sourceKey, b.sourceKey))
    // Cache only lists that exist, so that invented slugs don't fill the cache.
    if (sorted.length > 0) this.#reference.set(name, sorted)
    return sorted
  }

  /** Active providers, sorted by name. */
  providers(): readonly Provider[] {
    return this.#directory.entries
  }

  /** Page of active providers, sorted by name, with product and licence summaries. */
  directory(after: PageCursor<string> | null, limit: number): CursorPage<DirectoryEntry, string> {
    return this.#directory.page(after, limit)
  }

  /** Returns an active provider; undefined if there is none with this slug. */
  provider(slug: string): DirectoryEntry | undefined {
    return this.#directory.bySlug.get(slug)
  }

  hasProvider(slug: string): boolean {
    return this.#directory.bySlug.has(slug)
  }

  /** Slugs of the active providers. */
  providerSlugs(): IterableIterator<string> {
    return this.#directory.bySlug.keys()
  }

  /** All cards, including cards without terms, sorted by source key. */
  cards(): readonly Card[] {
    return this.#cards
  }

  /** Returns a card, with or without terms; undefined if there is none with this source key. */
  card(sourceKey: string): Card | undefined {
    return this.#cards.find((card) => card.sourceKey === sourceKey)
  }

  /** Reward cards, sorted by source key. */
  rewardCards(): readonly RewardCard[] {
    return this.#rewardCards
  }

  /** Travel cards, lowest fee first. If a currency is given, only cards that support it. */
  travelCards(currency: string | null = null): readonly TravelCard[] {
    return currency === null ? this.#travelCards : this.#travelCards.filter((card) => supportsCurrency(card, currency))
  }

  /** Returns a page of `travelCards`. */
  travelCardPage(currency: string | null, after: PageCursor<number> | null, limit: number): CursorPage<TravelCard, number> {
    return this.#feePager.page(this.travelCards(currency), after, limit)
  }

  /** Switch offers, highest bonus first, including ended ones. */
  switchOffers(): readonly SwitchOffer[] {
    return this.#switchOffers
  }

  /** Returns a page of the switch offers that have not ended by a day (ISO date). */
  openSwitchOffers(day: string, after: PageCursor<number> | null, limit: number): CursorPage<SwitchOffer, number> {
    const open = this.#switchOffers.filter(({ endDate }) => offerStatus(endDate, day) !== 'ended')
    return this.#bonusPager.page(open, after, limit)
  }

  /** Account offers, sorted by key, including ended ones. */
  accountOffers(): readonly AccountOffer[] {
    return this.#accountOffers
  }

  /** Latest survey of a provider in each region, GB before NI. */
  serviceQuality(slug: string): readonly ServiceSurvey[] {
    return this.#surveys.filter(({ providerSlug }) => providerSlug === slug)
  }
}

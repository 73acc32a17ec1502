import { type Card, feeOrder, type RewardCard, supportsCurrency, type TravelCard } from './cards.ts'
import type { ChangesQuery } from './changes-query.ts'
import { type DailyFiles, noFiles } from './daily-files/daily-file.ts'
import { MarketFigures } from './figures/market-figures.ts'
import { type Movement, noMovement } from './figures/movement.ts'
import { noHistory, type RateHistory } from './history/rate-history.ts'
import { byText, type CursorPage, inOrder, KeysetPager, type Moves, noMoves, type PageCursor } from './keyset-pager.ts'
import { type AccountOffer, type SwitchOffer, SwitchOfferList } from './offers.ts'
import type { Match, Product, ProductLink } from './product.ts'
import type { ProductFilters } from './product-filters.ts'
import { ProductLists, type ProductQuery, type ProviderSortedQuery } from './product-lists.ts'
import { type DirectoryEntry, type Provider, ProviderDirectory, type ServiceSurvey } from './provider.ts'
import { noStatistics, type Statistics } from './statistics/statistics.ts'
import { noneWithdrawn, type Withdrawn } from './withdrawn.ts'

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
  /** Recently withdrawn rows. */
  readonly withdrawn?: Withdrawn
  /** Time of the newest change to providers, products, cards, offers and surveys. */
  readonly changedAt?: string | null
  /** Public statistics, the same for every dataset. */
  readonly statistics?: Statistics
  readonly movement?: Movement
  /** Recent changes of sort values, which keep the order stable during pagination. */
  readonly moves?: Moves
  readonly history?: RateHistory
  readonly files?: DailyFiles
  /** Returns the market as it was on a day (ISO date); null if it isn't stored. */
  readonly readPast?: (day: string) => Promise<MarketView | null>
  /** Returns the current time in milliseconds since 1970. */
  readonly now?: () => number
}

/**
 * Immutable in-memory view of one dataset: active providers, their products, cards, offers and surveys. Everything is sorted at construction, so two binary
 * searches are enough to find the rows of a page.
 */
export class MarketView {
  readonly statistics: Statistics
  /** Time of the newest change, ISO 8601; null if unknown. Every later change gets a later `updatedAt`. */
  readonly changedAt: string | null
  /** Rate history, read from the database on demand. */
  readonly history: RateHistory
  /** Files with the market of each day, read from the database on demand. */
  readonly files: DailyFiles
  /** Returns the market as it was on a day (ISO date), with its products and providers only; null if it isn't stored. */
  readonly readPast: (day: string) => Promise<MarketView | null>
  /** Averages, counts and shares over the dataset. */
  readonly figures: MarketFigures
  readonly #directory: ProviderDirectory
  readonly #products: ProductLists
  readonly #cards: readonly Card[]
  readonly #rewardCards: readonly RewardCard[]
  readonly #travelCards: readonly TravelCard[]
  readonly #switchOffers: SwitchOfferList
  readonly #accountOffers: readonly AccountOffer[]
  readonly #surveys: readonly ServiceSurvey[]
  readonly #feePager: KeysetPager<TravelCard, number>

  constructor({
    providers,
    products,
    cards,
    rewardCards = [],
    travelCards = [],
    switchOffers = [],
    accountOffers = [],
    surveys = [],
    withdrawn = noneWithdrawn,
    changedAt = null,
    statistics = noStatistics,
    movement = noMovement,
    moves = noMoves,
    history = noHistory,
    files = noFiles,
    readPast = async () => null,
    now = Date.now,
  }: MarketContent) {
    this.statistics = statistics
    this.changedAt = changedAt
    this.#feePager = new KeysetPager(feeOrder, moves.cards)
    this.history = history
    this.files = files
    this.readPast = readPast
    this.#directory = new ProviderDirectory(providers, products, moves.providers, withdrawn.providers)
    this.#products = new ProductLists({
      ...{ products, withdrawn: withdrawn.products, moves, now },
      findProvider: (slug) => this.#directory.bySlug.get(slug) ?? this.#directory.withdrawnBySlug.get(slug),
    })
    this.#cards = [...cards].sort((a, b) => byText(a.sourceKey, b.sourceKey))
    this.#rewardCards = [...rewardCards].sort((a, b) => byText(a.sourceKey, b.sourceKey))
    this.#travelCards = inOrder(travelCards, feeOrder)
    this.#switchOffers = new SwitchOfferList(switchOffers, withdrawn.switchOffers, moves.switchOffers)
    this.#accountOffers = [...accountOffers].sort((a, b) => byText(a.offerKey, b.offerKey))
    this.#surveys = [...surveys].sort((a, b) => byText(a.region, b.region))
    this.figures = new MarketFigures({
      ranked: (type) => this.#products.list(type, undefined),
      providers: this.#directory.bySlug,
      rewardCards: this.#rewardCards,
      travelCards: this.#travelCards,
      movement,
      statistics,
      now,
    })
  }

  get productCount(): number {
    return this.#products.byKey.size
  }

  /** Returns a page of products with match reasons, by default best rate first. Ranks are by rate, among all products that match the filters. */
  products(query: ProductQuery): CursorPage<Match, number> {
    return this.#products.page(query)
  }

  /** Returns a page of products with match reasons, by name of their provider. */
  productsByProvider(query: ProviderSortedQuery): CursorPage<Match, string> {
    return this.#products.pageByProvider(query)
  }

  /** Returns a product with its rank among all accounts of its type; undefined if it doesn't exist or was withdrawn. */
  product(sourceKey: string): Match | undefined {
    return this.#products.product(sourceKey)
  }

  /** Returns the URL of a product's page on the provider's website; undefined if the product doesn't exist or was withdrawn. */
  link(sourceKey: string): ProductLink | undefined {
    const product = this.#products.byKey.get(sourceKey)
    if (!product) return undefined
    const { provider, providerSlug, accountName, url, urlCheckedAt } = product
    return { sourceKey, provider, providerSlug, accountName, url, checkedAt: urlCheckedAt }
  }

  /** Returns the products that match the filters, sorted by source key, so that the order doesn't change with rates. */
  referenceProducts(filters: ProductFilters): readonly Product[] {
    return this.#products.reference(filters)
  }

  /** Active providers, sorted by name. */
  providers(): readonly Provider[] {
    return this.#directory.entries
  }

  /** Page of active providers, sorted by name, with product and licence summaries. */
  directory(after: PageCursor<string> | null, limit: number, changes: ChangesQuery = {}): CursorPage<DirectoryEntry, string> {
    return this.#directory.page(after, limit, changes)
  }

  /** Returns an active provider; undefined if there is none with this slug. */
  provider(slug: string): DirectoryEntry | undefined {
    return this.#directory.bySlug.get(slug)
  }

  /** True if a provider is active or, with withdrawn rows, became inactive recently. */
  hasProvider(slug: string, { withWithdrawn = false }: ChangesQuery = {}): boolean {
    return this.#directory.bySlug.has(slug) || (withWithdrawn && this.#directory.withdrawnBySlug.has(slug))
  }

  /** Licence groups of the active providers and, with withdrawn rows, of those that became inactive recently. */
  licenceGroups({ withWithdrawn = false }: ChangesQuery = {}): ReadonlySet<string> {
    const { licenceGroups, withdrawnBySlug } = this.#directory
    return withWithdrawn ? new Set([...licenceGroups, ...[...withdrawnBySlug.values()].map(({ licenceGroup }) => licenceGroup)]) : licenceGroups
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
    return this.#switchOffers.offers
  }

  /** Returns a page of the switch offers that have not ended by a day (ISO date). With withdrawn offers, ended ones are listed too. */
  openSwitchOffers(day: string, after: PageCursor<number> | null, limit: number, changes: ChangesQuery = {}): CursorPage<SwitchOffer, number> {
    return this.#switchOffers.page(day, after, limit, changes)
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

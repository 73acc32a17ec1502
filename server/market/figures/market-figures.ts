import { type AccountType, accountTypeValues, type ProductType } from '#server/api/contract/account-types.ts'
import type { RewardCard, TravelCard } from '../cards.ts'
import { firstPast } from '../keyset-pager.ts'
import type { Product } from '../product.ts'
import type { DirectoryEntry } from '../provider.ts'
import { londonDay } from '../sources/calendar.ts'
import type { Aged, QuotedRate, Statistics } from '../statistics/statistics.ts'
import {
  type AverageFigures,
  averageFigures,
  type CardFigures,
  type CategoryFigures,
  cardFigures,
  categoryFigures,
  type FindInstitution,
} from './category-figures.ts'
import { countChanges, type Movement } from './movement.ts'

/** Market average published by the Bank of England, for comparison with ours: the series code, and the value for the month that ends on `asOf`. */
export type Benchmark = Pick<Aged<QuotedRate>, 'series' | 'label' | 'asOf' | 'source' | 'licence' | 'stale'> & { readonly valueBp: number }

/**
 * Bank of England series by account type and term in months. Series that include bonuses come first, because our rates include them too. Types without a
 * series are omitted; the Bank no longer maintains its averages for notice accounts.
 */
const series: Partial<Record<ProductType, Readonly<Record<string, readonly string[]>>>> = {
  'easy-access': { none: ['IUMB6VJ', 'IUMB6VK'] },
  'cash-isa': { none: ['IUMB6VL', 'IUMB6VM'], 12: ['IUMB6VN'], 24: ['IUMZID2'] },
  'fixed-rate': { 12: ['IUMWTFA'], 24: ['IUMB6RH'], 36: ['IUMB6RI'] },
}

/** Returns a function that finds the benchmark for a type and term, or returns null if there is none. */
function indexBenchmarks(statistics: Statistics): (accountType: ProductType, termMonths: number | null) => Benchmark | null {
  const quoted = new Map(statistics.quotedRates().map((rate) => [rate.series, rate]))
  return (accountType, termMonths) => {
    const [found] = (series[accountType]?.[termMonths ?? 'none'] ?? []).flatMap((code) => quoted.get(code) ?? [])
    if (!found || found.valueBp === null) return null
    const { series: code, label, valueBp, asOf, source, licence, stale } = found
    return { series: code, label, valueBp, asOf, source, licence, stale }
  }
}

/** Provider and its best product. */
export type TopProvider = { readonly provider: DirectoryEntry; readonly best: Product }

/** Market data that the figures are calculated from. `ranked` returns the products of a type, best rate first. */
export type FiguresContent = {
  readonly ranked: (type: AccountType) => readonly Product[]
  readonly providers: ReadonlyMap<string, DirectoryEntry>
  readonly rewardCards: readonly RewardCard[]
  readonly travelCards: readonly TravelCard[]
  readonly movement: Movement
  readonly statistics: Statistics
  readonly now: () => number
}

const productTypes = accountTypeValues.filter((type): type is ProductType => type !== 'all')

/** Maximum number of providers in the market overview. */
export const topProviderCount = 5

/** Returns the best product of each provider, best rate first, for at most `topProviderCount` providers. */
function bestOfEach(products: readonly Product[], providers: ReadonlyMap<string, DirectoryEntry>): TopProvider[] {
  const top = new Map<string, TopProvider>()
  for (const best of products) {
    const provider = providers.get(best.providerSlug)
    if (provider && !top.has(provider.slug)) top.set(provider.slug, { provider, best })
    if (top.size === topProviderCount) break
  }
  return [...top.values()]
}

const toOverview = ({ ranked, providers }: FiguresContent) => ({
  productCount: ranked('all').length,
  providerCount: providers.size,
  topProviders: bestOfEach(ranked('all'), providers),
  bestByType: productTypes.flatMap((type) => ranked(type)[0] ?? []),
})

/**
 * Statistics for one dataset, computed on first use. They can be cached, because a market view is immutable. Counts over recent days depend on the clock, so
 * they are not cached; each call sums a few rows per day.
 */
export class MarketFigures {
  readonly #content: FiguresContent
  readonly #institution: FindInstitution
  #overview: ReturnType<typeof toOverview> | undefined
  #averages: readonly AverageFigures[] | undefined
  #categories: readonly CategoryFigures[] | undefined
  #cards: readonly CardFigures[] | undefined

  constructor(content: FiguresContent) {
    this.#content = content
    this.#institution = (slug) => content.providers.get(slug)
  }

  /** Time of the last change to the market, ISO 8601 UTC; null if nothing has been imported. */
  get asOf(): string | null {
    return this.#content.movement.asOf
  }

  overview() {
    this.#overview ??= toOverview(this.#content)
    return this.#overview
  }

  /** Returns the number of products that pay more than a rate in basis points. */
  countAbove(rateBp: number): number {
    return firstPast(this.#content.ranked('all'), (product) => product.rateBp <= rateBp)
  }

  /** Averages by account type and term. Types are in API order. */
  averages(): readonly AverageFigures[] {
    const { ranked, movement } = this.#content
    this.#averages ??= productTypes.flatMap((type) => averageFigures(type, ranked(type), this.#institution, movement))
    return this.#averages
  }

  /** Returns a function that finds the Bank of England average for a type and term, or returns null if there is none. */
  benchmarks(): (accountType: ProductType, termMonths: number | null) => Benchmark | null {
    return indexBenchmarks(this.#content.statistics)
  }

  /** Statistics for every type, including types without products. */
  categories(): readonly CategoryFigures[] {
    const { ranked } = this.#content
    this.#categories ??= productTypes.map((type) => categoryFigures(type, ranked(type), this.#institution))
    return this.#categories
  }

  cards(): readonly CardFigures[] {
    const { rewardCards, travelCards } = this.#content
    this.#cards ??= cardFigures(rewardCards, travelCards, this.#institution)
    return this.#cards
  }

  #count(days: number, accountType?: ProductType) {
    const { movement, now } = this.#content
    return countChanges(movement.days, londonDay(now()), days - 1, accountType)
  }

  /** Rises and cuts in the last 7 days (UK time), including today. */
  movesLast7Days(): { readonly rises: number; readonly cuts: number } {
    return this.#count(7)
  }

  /** Rate changes in the last 30 days (UK time), including today. */
  changesLast30Days(accountType: ProductType): number {
    return this.#count(30, accountType).changes
  }

  /** Changes, launches and withdrawals today (UK time). */
  updatesToday(): number {
    return this.#count(1).updates
  }
}

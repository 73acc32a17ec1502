import { accountTypeValues, type ProductType } from '#server/api/contract/account-types.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import { type ChangesQuery, getChanged } from './changes-query.ts'
import { initials, inkOn } from './images.ts'
import { type CursorPage, inOrder, KeysetPager, type ListOrder, type Move, type PageCursor } from './keyset-pager.ts'
import type { Plain, Product } from './product.ts'

export const providerTypes = ['bank', 'building-society', 'government', 'platform', 'e-money', 'credit-union'] as const

export type ProviderType = (typeof providerTypes)[number]

/** Provider columns that are not part of the read model. The `trust…` columns are returned as `trust`. */
type Omitted = 'dataset' | 'active' | 'trustScoreTenths' | 'trustReviewCount' | 'trustSource' | 'trustAsOf'

/**
 * Firm that offers products. `protectionLimitPence` is per person, and shared by providers with the same `licenceGroup`; `ownerCountry` is ISO 3166-1 alpha-2;
 * `colour` is the background of the monogram, `#rrggbb`. Null means unknown or none; a null limit can also mean that it depends on a partner bank.
 */
export type Provider = Plain<Omit<Prisma.ProviderModel, Omitted>> & {
  readonly providerType: ProviderType
  /** Time since which the provider has been inactive; omitted if it is active. */
  readonly withdrawnAt?: string
  /** Path of the logo on this service; null if the provider has none. */
  readonly logoPath: string | null
  /** Customer reviews, as published by their source: average score in tenths (0 to 50) on the date `asOf`. Omitted if there are none. */
  readonly trust?: { readonly scoreTenths: number; readonly reviewCount: number | null; readonly source: string; readonly asOf: string }
}

export const surveyRegions = ['GB', 'NI'] as const

export type SurveyRegion = (typeof surveyRegions)[number]

export const surveyScores = ['overall', 'onlineAndMobile', 'overdraft', 'branch'] as const

/** Provider's score in one category of a survey, and its rank among the providers with a score. */
export type SurveyScore = {
  /** Percentage of respondents who are extremely or very likely to recommend the service. */
  readonly percent: number
  readonly rank: number
  /** True if the rank is shared. */
  readonly jointRank: boolean
  readonly rankOf: number
}

type Scores = (typeof surveyScores)[number]

/** Latest customer survey of a provider in one region. A score is null with fewer than 100 responses. ISO dates. */
export type ServiceSurvey = Plain<Omit<Prisma.ServiceQualityModel, 'dataset' | 'surveyKey' | Scores>> &
  Readonly<Record<Scores, SurveyScore | null>> & { readonly region: SurveyRegion }

/** Provider with data derived from the rest of the market. */
export type DirectoryEntry = Provider & {
  /** Number of listed savings products. */
  readonly productCount: number
  /** Best rate of the listed savings products in basis points; null if there are none. */
  readonly topRateBp: number | null
  /** Account types of the listed savings products, in API order. */
  readonly accountTypes: readonly ProductType[]
  /** Slugs of the other active providers on the same licence. */
  readonly sharesLicenceWith: readonly string[]
  /** Content of the logo, for pages that draw it in their own font; null if the provider has no colour. */
  readonly monogram: { readonly text: string; readonly colour: string; readonly ink: string } | null
}

const names = new Intl.Collator('en-GB')

/** Sorts providers by name, in English alphabetical order. */
const nameOrder: ListOrder<Pick<Provider, 'name' | 'slug'>, string> = { sortValue: ({ name }) => name, getKey: ({ slug }) => slug, compare: names.compare }

function toEntry(provider: Provider, products: readonly Product[], licence: readonly Provider[]): DirectoryEntry {
  const types = new Set<string>(products.map(({ accountType }) => accountType))
  return {
    ...provider,
    productCount: products.length,
    topRateBp: products.reduce<number | null>((top, { rateBp }) => Math.max(top ?? 0, rateBp), null),
    accountTypes: accountTypeValues.filter((type): type is ProductType => types.has(type)),
    sharesLicenceWith: licence.map(({ slug }) => slug).filter((slug) => slug !== provider.slug),
    monogram: provider.colour === null ? null : { text: initials(provider.name), colour: provider.colour, ink: inkOn(provider.colour) },
  }
}

/** Active providers of a market, sorted by name, with product and licence summaries. */
export class ProviderDirectory {
  readonly entries: readonly DirectoryEntry[]
  readonly bySlug: ReadonlyMap<string, DirectoryEntry>
  /** Providers that recently became inactive. */
  readonly withdrawnBySlug: ReadonlyMap<string, DirectoryEntry>
  readonly licenceGroups: ReadonlySet<string>
  readonly #withWithdrawn: readonly DirectoryEntry[]
  readonly #pager: KeysetPager<DirectoryEntry, string>

  constructor(providers: readonly Provider[], products: readonly Product[], moves: readonly Move<string>[], withdrawn: readonly Provider[] = []) {
    const sorted = inOrder(providers, nameOrder)
    const offered = Map.groupBy(products, ({ providerSlug }) => providerSlug)
    const licences = Map.groupBy(sorted, ({ licenceGroup }) => licenceGroup)
    this.entries = sorted.map((provider) => toEntry(provider, offered.get(provider.slug) ?? [], licences.get(provider.licenceGroup) ?? []))
    this.bySlug = new Map(this.entries.map((entry) => [entry.slug, entry]))
    this.licenceGroups = new Set(licences.keys())
    const gone = withdrawn.map((provider) => toEntry(provider, [], licences.get(provider.licenceGroup) ?? []))
    this.withdrawnBySlug = new Map(gone.map((entry) => [entry.slug, entry]))
    this.#withWithdrawn = inOrder([...this.entries, ...gone], nameOrder)
    this.#pager = new KeysetPager<DirectoryEntry, string>(nameOrder, moves)
  }

  /** Returns the page after a cursor, even if the provider that the cursor points to no longer exists. */
  page(after: PageCursor<string> | null, limit: number, changes: ChangesQuery = {}): CursorPage<DirectoryEntry, string> {
    return this.#pager.page(getChanged(changes.withWithdrawn ? this.#withWithdrawn : this.entries, changes), after, limit)
  }
}

import { accountTypeValues, type ProductType } from '#server/api/contract/account-types.ts'
import { type CursorPage, inOrder, KeysetPager, type ListOrder, type Move, type PageCursor } from './keyset-pager.ts'
import type { Product } from './product.ts'

export const providerTypes = ['bank', 'building-society', 'government', 'platform', 'e-money', 'credit-union'] as const

export type ProviderType = (typeof providerTypes)[number]

/** Customer reviews, as published by their source. */
export type ProviderTrust = {
  /** Average score in tenths, 0 to 50. */
  readonly scoreTenths: number
  readonly reviewCount: number | null
  readonly source: string
  /** ISO date. */
  readonly asOf: string
}

/** Firm that offers products. Amounts in pence, `updatedAt` in ISO 8601 UTC, null means unknown or none. */
export type Provider = {
  readonly slug: string
  readonly name: string
  readonly legalName: string
  readonly frn: string | null
  readonly providerType: ProviderType
  readonly website: string
  /** Year founded. */
  readonly founded: number | null
  readonly headquarters: string | null
  readonly ownerName: string | null
  /** ISO 3166-1 alpha-2. */
  readonly ownerCountry: string | null
  readonly protectionScheme: string
  /** Protection limit per person; null if unlimited or dependent on a partner bank. */
  readonly protectionLimitPence: number | null
  /** Providers with the same value share one protection limit. */
  readonly licenceGroup: string
  readonly cassParticipant: boolean
  /** Background of the monogram, `#rrggbb`; null if the provider has no logo. */
  readonly colour: string | null
  /** Path of the logo on this service; null if the provider has none. */
  readonly logoPath: string | null
  /** Summary of customer reviews; omitted if there are none. */
  readonly trust?: ProviderTrust
  readonly updatedAt: string
}

export const surveyRegions = ['GB', 'NI'] as const

export type SurveyRegion = (typeof surveyRegions)[number]

export const surveyScores = ['overall', 'onlineAndMobile', 'overdraft', 'branch'] as const

/** Result of a provider in one category of a survey, and its rank among the providers with a result. */
export type SurveyScore = {
  /** Percentage of respondents who are extremely or very likely to recommend the service. */
  readonly percent: number
  readonly rank: number
  /** True if the rank is shared. */
  readonly jointRank: boolean
  readonly rankOf: number
}

/** Latest customer survey of a provider in one region. A score is null with fewer than 100 responses. ISO dates. */
export type ServiceSurvey = Readonly<Record<(typeof surveyScores)[number], SurveyScore | null>> & {
  readonly providerSlug: string
  readonly region: SurveyRegion
  readonly survey: string
  readonly publisher: string
  readonly periodStart: string
  readonly periodEnd: string
  readonly publishedAt: string
  readonly nextPublication: string | null
  readonly sampleSize: number | null
  readonly providersRanked: number
  readonly methodologyUrl: string
  readonly accountOpeningDays: number | null
  readonly debitCardReplacementDays: number | null
  readonly majorIncidentsLastYear: number | null
  readonly updatedAt: string
}

/** Provider with data derived from the rest of the market. */
export type DirectoryEntry = Provider & {
  /** Number of listed savings products. */
  readonly productCount: number
  /** Best rate of these products in basis points; null if there are none. */
  readonly topRateBp: number | null
  /** Account types of these products, in API order. */
  readonly accountTypes: readonly ProductType[]
  /** Slugs of the other active providers on the same licence. */
  readonly sharesLicenceWith: readonly string[]
}

const names = new Intl.Collator('en-GB')

/** Sorts providers by name, in English alphabetical order. */
const nameOrder: ListOrder<Pick<Provider, 'name' | 'slug'>, string> = { sortValue: ({ name }) => name, getKey: ({ slug }) => slug, compare: names.compare }

function grouped<Row>(rows: readonly Row[], getKey: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(getKey(row))
    if (group) group.push(row)
    else groups.set(getKey(row), [row])
  }
  return groups
}

function toEntry(provider: Provider, products: readonly Product[], licence: readonly Provider[]): DirectoryEntry {
  const types = new Set<string>(products.map(({ accountType }) => accountType))
  return {
    ...provider,
    productCount: products.length,
    topRateBp: products.reduce<number | null>((top, { rateBp }) => Math.max(top ?? 0, rateBp), null),
    accountTypes: accountTypeValues.filter((type): type is ProductType => types.has(type)),
    sharesLicenceWith: licence.map(({ slug }) => slug).filter((slug) => slug !== provider.slug),
  }
}

/** Active providers of a market, sorted by name, with product and licence summaries. */
export class ProviderDirectory {
  readonly #entries: readonly DirectoryEntry[]
  readonly #bySlug: ReadonlyMap<string, DirectoryEntry>
  readonly #pager: KeysetPager<DirectoryEntry, string>

  constructor(providers: readonly Provider[], products: readonly Product[], moves: readonly Move<string>[]) {
    const sorted = inOrder(providers, nameOrder)
    const offered = grouped(products, ({ providerSlug }) => providerSlug)
    const licences = grouped(sorted, ({ licenceGroup }) => licenceGroup)
    this.#entries = sorted.map((provider) => toEntry(provider, offered.get(provider.slug) ?? [], licences.get(provider.licenceGroup) ?? []))
    this.#bySlug = new Map(this.#entries.map((entry) => [entry.slug, entry]))
    this.#pager = new KeysetPager<DirectoryEntry, string>(nameOrder, moves)
  }

  get entries(): readonly DirectoryEntry[] {
    return this.#entries
  }

  get bySlug(): ReadonlyMap<string, DirectoryEntry> {
    return this.#bySlug
  }

  /** Returns the page after a cursor, even if the provider that the cursor points to no longer exists. */
  page(after: PageCursor<string> | null, limit: number): CursorPage<DirectoryEntry, string> {
    return this.#pager.page(this.#entries, after, limit)
  }
}

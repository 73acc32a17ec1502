import { accountTypeValues, type ProductType } from '#server/api/contract/account-types.ts'
import { type CursorPage, inOrder, KeysetPager, type ListOrder, type Move, type PageCursor } from './keyset-pager.ts'
import type { Product } from './product.ts'
import type { Provider } from './provider.ts'

/** Provider with data derived from the rest of the market. */
export type DirectoryEntry = Provider & {
  /** Number of listed savings products. */
  readonly productCount: number
  /** Their best rate in hundredths of a percent; null without products. */
  readonly topRateBp: number | null
  /** Their types, in contract order. */
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

/** Active providers of a market by name, with product and licence summaries. */
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

  /** Page after a key, even if that provider no longer exists. */
  page(after: PageCursor<string> | null, limit: number): CursorPage<DirectoryEntry, string> {
    return this.#pager.page(this.#entries, after, limit)
  }
}

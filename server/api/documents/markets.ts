import { twoDecimals } from '#server/api/contract/formats.ts'
import { noCaller } from '#server/api/contract/own-account.ts'
import { describePrice, type Price } from '#server/api/contract/price-kinds.ts'
import type { Context } from '#server/api/endpoints/define.ts'
import { listReferenceFscs } from '#server/api/endpoints/reference/list-reference-fscs.endpoint.ts'

/** True for domains under .example, which are reserved (RFC 2606), so firms with these URLs do not exist. */
export function isFictionalAddress(url: string): boolean {
  return new URL(url).hostname.endsWith('.example')
}

/** Datasets shown on pages. Live comes first: it takes precedence if a key or slug is in both. */
const shownDatasets = ['live', 'sample'] as const

export type ShownDataset = (typeof shownDatasets)[number]

/** Notices at the top of pages with fictional data. */
export const notices = {
  live: { product: 'Demonstration product. This bank does not exist.', provider: 'Demonstration provider. This bank does not exist.' },
  sample: { product: 'Sample product. This bank does not exist.', provider: 'Sample provider. This bank does not exist.' },
} as const satisfies Record<ShownDataset, Record<'product' | 'provider', string>>

type Market = Context['market']

/** Returns a sentence about the price of the API call that returns a page's data. */
export const costSentence = (price: Price, dataset: ShownDataset): string =>
  dataset === 'live' ? `Costs ${describePrice(price)} with a live key.` : 'Free. Available with test keys only.'

/** Returns the first value that `read` finds, together with its dataset; null if no dataset has one. */
export async function findInDatasets<Value extends object>(read: (dataset: ShownDataset) => Value | null | undefined | Promise<Value | null>) {
  for (const dataset of shownDatasets) {
    const value = await read(dataset)
    if (value) return { dataset, value }
  }
  return null
}

/** Access to the datasets for pages. */
export type Markets = { readonly dataset: (name: ShownDataset) => Market }

type Product = NonNullable<ReturnType<Market['product']>>['product']

/** Data that is available for current and former products. */
export type ProductSketch = Pick<Product, 'sourceKey' | 'provider' | 'providerSlug' | 'providerLogoPath' | 'accountName' | 'accountType' | 'rateBp'>

type Provider = ReturnType<Market['providers']>[number]

export type RateHistory = {
  readonly from: string
  readonly to: string
  readonly steps: readonly { readonly date: string; readonly rateBp: number | null; readonly baseRateBp: number; readonly boostRateBp: number }[]
}

/** Access to historical data for pages. The market module documents these functions. */
export type PastData = {
  readonly formerProduct: (
    dataset: ShownDataset,
    sourceKey: string,
  ) => Promise<{ readonly sketch: ProductSketch; readonly product: Product | null; readonly withdrawnOn: string } | null>
  readonly formerProvider: (dataset: ShownDataset, slug: string) => Promise<Provider | null>
  readonly rateHistory: (dataset: ShownDataset, sourceKey: string) => Promise<RateHistory>
  readonly historySpan: (dataset: ShownDataset) => Promise<{ readonly since: string; readonly changes: number } | null>
}

/** Returns the size of the live market, shown to prospective customers. */
export function getCoverage(markets: Markets): { products: number; providers: number; isFictional: boolean } {
  const live = markets.dataset('live')
  const providers = live.providers()
  return { products: live.productCount, providers: providers.length, isFictional: providers.every(({ website }) => isFictionalAddress(website)) }
}

/** Returns the handler context for pages of this site: no caller or account, and URLs as site-relative paths. */
export function pageContext(market: Context['market'], mode: Context['mode']): Context {
  return {
    market,
    mode,
    withLogos: true,
    publicUrl: '',
    requestId: '',
    ...noCaller,
  }
}

type Brand = { readonly brand: string; readonly providerSlug: string | null; readonly sharesLicenceWith: readonly string[] }

/** Returns the other brands on a provider's licence, according to the FSCS reference list. Maps each brand to its provider's slug, or to null. */
async function listedBrands(context: Context, slug: string): Promise<Map<string, string | null>> {
  const { rows } = (await listReferenceFscs.read({}, { limit: 0, after: null }, context)) as { rows: readonly Brand[] }
  const slugs = new Map(rows.map(({ brand, providerSlug }) => [brand, providerSlug]))
  const own = rows.find((row) => row.providerSlug === slug)
  return new Map(own?.sharesLicenceWith.map((name) => [name, slugs.get(name) ?? null]))
}

/**
 * Returns a provider's deposit protection, or null if the provider is unknown. Contains the scheme, the limit per person across all brands on the licence, in
 * pounds with two decimals (null if there is none), and the other brands on the licence, including those that are only in the reference list. A brand has a
 * slug if it has a page.
 */
export async function getProtection(context: Context, slug: string) {
  const provider = context.market.provider(slug)
  if (!provider) return null
  const brands = await listedBrands(context, slug)
  for (const other of provider.sharesLicenceWith) brands.set(context.market.provider(other)?.name ?? other, other)
  return {
    scheme: provider.protectionScheme,
    limit: provider.protectionLimitPence === null ? null : twoDecimals(provider.protectionLimitPence),
    sharedWith: [...brands].map(([name, at]) => ({ name, slug: at })),
  }
}

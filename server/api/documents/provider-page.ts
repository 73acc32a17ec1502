import { describePrice } from '#server/api/contract/price-kinds.ts'
import type { Context } from '#server/api/endpoints/define.ts'
import { getProvider } from '#server/api/endpoints/providers/get-provider.endpoint.ts'
import { getServiceQuality } from '#server/api/endpoints/providers/get-service-quality.endpoint.ts'
import { toProvider } from '#server/api/endpoints/providers/provider-record.ts'
import type { SavingsProduct } from '#server/api/endpoints/rates/savings-product.ts'
import type { Markets, PastData } from './markets.ts'
import { getProtection, isFictionalAddress, notices, pageContext, type ShownDataset, shownDatasets } from './markets.ts'

type Entry = NonNullable<ReturnType<Context['market']['provider']>>

type Score = { readonly percent: number; readonly rank: number; readonly jointRank: boolean; readonly rankOf: number } | null

/** Fields of a service quality survey that the page shows. */
export type ServiceSurvey = {
  readonly survey: string
  readonly publisher: string
  readonly region: 'GB' | 'NI'
  readonly periodStart: string
  readonly periodEnd: string
  readonly publishedAt: string
  readonly overall: Score
  readonly onlineAndMobile: Score
  readonly overdraft: Score
  readonly branch: Score
  readonly methodologyUrl: string
}

const costs = {
  live: `Costs ${describePrice(getProvider.price)} with a live key.`,
  sample: 'Free. Available with test keys only.',
} as const

type Found = { readonly dataset: ShownDataset; readonly entry: Entry; readonly isListed: boolean }

async function find(markets: Markets, past: PastData, slug: string): Promise<Found | null> {
  for (const dataset of shownDatasets) {
    const entry = markets.dataset(dataset).provider(slug)
    if (entry) return { dataset, entry, isListed: true }
  }
  for (const dataset of shownDatasets) {
    const former = await past.formerProvider(dataset, slug)
    if (former) return { dataset, entry: { ...former, productCount: 0, topRateBp: null, accountTypes: [], sharesLicenceWith: [] }, isListed: false }
  }
  return null
}

const onePage = { limit: 0, after: null } as const

/** Returns the products and surveys of a listed provider, from the handlers of the two provider endpoints. */
async function listedParts(context: Context, slug: string) {
  const { products } = (await getProvider.read({ slug }, onePage, context)) as { products: SavingsProduct[] }
  const { surveys } = (await getServiceQuality.read({ slug }, onePage, context)) as { surveys: ServiceSurvey[] }
  return { products, surveys }
}

/** Returns the page of a current or former provider; null if the slug is unknown. All URLs are site-relative, except the URL of the provider's website. */
export async function providerPage(markets: Markets, past: PastData, slug: string) {
  const found = await find(markets, past, slug)
  if (!found) return null
  const { dataset, entry, isListed } = found
  const context = pageContext(markets.dataset(dataset), dataset === 'live' ? 'live' : 'test')
  const isFictional = dataset === 'sample' || isFictionalAddress(entry.website)
  return {
    provider: toProvider(entry, context),
    isListed,
    isFictional,
    /** Notice for a fictional provider, or null. */
    notice: isFictional ? notices[dataset].provider : null,
    protection: await getProtection(context, slug),
    // Best rate first.
    ...(isListed ? await listedParts(context, slug) : { products: [], surveys: [] }),
    /** Time of the last change to the market data. */
    asOf: context.market.figures.asOf,
    /** Path after `/v1` that returns the same data as JSON. */
    target: getProvider.path.replace('{slug}', encodeURIComponent(slug)),
    /** Sentence about the price of that call. */
    cost: costs[dataset],
  }
}

import { describePrice } from '#server/api/contract/prices.ts'
import type { Context } from '#server/api/endpoints/define.ts'
import { getProvider } from '#server/api/endpoints/providers/get-provider.endpoint.ts'
import { getServiceQuality } from '#server/api/endpoints/providers/get-service-quality.endpoint.ts'
import { type ProviderRecord, toProvider } from '#server/api/endpoints/providers/provider-record.ts'
import type { SavingsProduct } from '#server/api/endpoints/rates/savings-product.ts'
import { isFictionalAddress, notices, type ShownDataset, shownDatasets } from './fiction.ts'
import type { Markets, PastFacts } from './markets.ts'
import { pageContext } from './page-context.ts'
import { type Protection, protectionOf } from './protection.ts'

type Entry = NonNullable<ReturnType<Context['market']['provider']>>

/** A provider as its public page shows it. Addresses in it are paths on this site, but for its own website. */
export type ProviderPage = {
  readonly provider: ProviderRecord
  /** Whether it is listed now. */
  readonly isListed: boolean
  readonly isFictional: boolean
  /** What the page has to say of a made-up provider, or null. */
  readonly notice: string | null
  readonly protection: Protection | null
  /** Best rate first; none of a provider that is not listed. */
  readonly products: readonly SavingsProduct[]
  readonly surveys: readonly ServiceSurvey[]
  /** When the market data last changed. */
  readonly asOf: string | null
  /** Path under the version that gives the same as JSON, and what it costs. */
  readonly target: string
  readonly cost: string
}

type Score = { readonly percent: number; readonly rank: number; readonly jointRank: boolean; readonly rankOf: number } | null

/** A survey in the words of the contract, as far as a page shows it. */
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
  sample: 'Free. Test keys read it, live keys do not.',
} as const

type Found = { readonly dataset: ShownDataset; readonly entry: Entry; readonly isListed: boolean }

async function find(markets: Markets, past: PastFacts, slug: string): Promise<Found | null> {
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

/** What the two endpoints of a provider answer for one that is listed. */
async function listedParts(context: Context, slug: string): Promise<Pick<ProviderPage, 'products' | 'surveys'>> {
  const { products } = (await getProvider.read({ slug }, onePage, context)) as { products: SavingsProduct[] }
  const { surveys } = (await getServiceQuality.read({ slug }, onePage, context)) as { surveys: ServiceSurvey[] }
  return { products, surveys }
}

/** The page of a provider that is or was listed; null for one that never was. */
export async function providerPage(markets: Markets, past: PastFacts, slug: string): Promise<ProviderPage | null> {
  const found = await find(markets, past, slug)
  if (!found) return null
  const { dataset, entry, isListed } = found
  const context = pageContext(markets.dataset(dataset), dataset === 'live' ? 'live' : 'test')
  const isFictional = dataset === 'sample' || isFictionalAddress(entry.website)
  return {
    provider: toProvider(entry, context),
    isListed,
    isFictional,
    notice: isFictional ? notices[dataset].provider : null,
    protection: await protectionOf(context, slug),
    ...(isListed ? await listedParts(context, slug) : { products: [], surveys: [] }),
    asOf: context.market.figures.asOf,
    target: getProvider.path.replace('{slug}', encodeURIComponent(slug)),
    cost: costs[dataset],
  }
}

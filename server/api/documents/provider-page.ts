import type { Context } from '#server/api/endpoints/define.ts'
import { getProvider } from '#server/api/endpoints/providers/get-provider.endpoint.ts'
import { getServiceQuality, type ServiceSurvey } from '#server/api/endpoints/providers/get-service-quality.endpoint.ts'
import { toProvider } from '#server/api/endpoints/providers/provider-record.ts'
import type { SavingsProduct } from '#server/api/endpoints/rates/savings-product.ts'
import type { Markets, PastData } from './markets.ts'
import { costSentence, findInDatasets, getProtection, isFictionalAddress, notices, pageContext } from './markets.ts'

/** Finds a provider. Listed providers take precedence over former ones, and the live dataset over the sample dataset. */
async function find(markets: Markets, past: PastData, slug: string) {
  const listed = await findInDatasets((dataset) => markets.dataset(dataset).provider(slug))
  if (listed) return { dataset: listed.dataset, entry: listed.value, isListed: true }
  const former = await findInDatasets((dataset) => past.formerProvider(dataset, slug))
  const noProducts = { productCount: 0, topRateBp: null, accountTypes: [], sharesLicenceWith: [], monogram: null }
  return former && { dataset: former.dataset, entry: { ...former.value, ...noProducts }, isListed: false }
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
    /** Sentence about the price of the call to `target`. */
    cost: costSentence(getProvider.price, dataset),
  }
}

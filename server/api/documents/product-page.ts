import { accountTypes } from '#server/api/contract/account-types.ts'
import { twoDecimals } from '#server/api/contract/formats.ts'
import type { Context } from '#server/api/endpoints/define.ts'
import { getRate } from '#server/api/endpoints/rates/get-rate.endpoint.ts'
import { toSavingsProduct } from '#server/api/endpoints/rates/savings-product.ts'
import type { Markets, PastData, ProductSketch, RateHistory } from './markets.ts'
import { costSentence, findInDatasets, getProtection, isFictionalAddress, notices, pageContext } from './markets.ts'

type Match = NonNullable<ReturnType<Context['market']['product']>>

/** Returns the steps of the rate chart. Rates apply from `date`, in percent with two decimals. A null `rate` means that the product was withdrawn. */
export function toHistory({ from, to, steps }: RateHistory) {
  const toStep = ({ date, rateBp, baseRateBp, boostRateBp }: RateHistory['steps'][number]) => ({
    date,
    rate: rateBp === null ? null : twoDecimals(rateBp),
    baseRate: twoDecimals(baseRateBp),
    boostRate: twoDecimals(boostRateBp),
  })
  return { from, to, steps: steps.map(toStep) }
}

/** Finds a product. Listed products take precedence over withdrawn ones, and the live dataset over the sample dataset. */
async function find(markets: Markets, past: PastData, sourceKey: string) {
  const listed = await findInDatasets((dataset) => markets.dataset(dataset).product(sourceKey))
  if (listed) return { dataset: listed.dataset, sketch: listed.value.product, match: listed.value, withdrawnOn: null }
  const former = await findInDatasets((dataset) => past.formerProduct(dataset, sourceKey))
  if (!former) return null
  const { product, sketch, withdrawnOn } = former.value
  return { dataset: former.dataset, sketch, match: product && { product, reasons: [] }, withdrawnOn }
}

/**
 * Returns the terms of a product: the API record and additional fields. `checkedAt` is the time of the last successful check of the product's page on the
 * provider's website.
 */
function toTerms(match: Match, context: Context) {
  const { url, urlCheckedAt, termMonths, noticeDays } = match.product
  return { product: toSavingsProduct(match, context), termMonths, noticeDays, link: { url, checkedAt: urlCheckedAt } }
}

const toHeading = ({ provider, providerSlug, providerLogoPath, accountName, accountType, rateBp }: ProductSketch) => ({
  provider,
  providerSlug,
  providerLogoUrl: providerLogoPath,
  accountName,
  accountType: accountTypes[accountType].label,
  rate: twoDecimals(rateBp),
})

type Found = NonNullable<Awaited<ReturnType<typeof find>>>

/**
 * True if the provider of a product is fictional: always in the sample dataset, otherwise according to the URL of the product or, if that is unknown, the
 * website of the provider.
 */
function isMadeUp({ dataset, sketch, match }: Found, market: Context['market']): boolean {
  if (dataset === 'sample') return true
  const address = match?.product.url ?? market.provider(sketch.providerSlug)?.website
  return address !== undefined && isFictionalAddress(address)
}

/** Returns the page of a current or former product; null if the key is unknown. URLs in it are site-relative. */
export async function productPage(markets: Markets, past: PastData, sourceKey: string) {
  const found = await find(markets, past, sourceKey)
  if (!found) return null
  const { dataset, sketch, match, withdrawnOn } = found
  const context = pageContext(markets.dataset(dataset), dataset === 'live' ? 'live' : 'test')
  const isFictional = isMadeUp(found, context.market)
  return {
    heading: toHeading(sketch),
    /** Null if the product is known only from its history. */
    terms: match && toTerms(match, context),
    isFictional,
    /** Notice for a fictional provider, or null. */
    notice: isFictional ? notices[dataset].product : null,
    /** Date of withdrawal; null while the product is listed. */
    withdrawnOn,
    /** Null if the provider is no longer listed. */
    protection: await getProtection(context, sketch.providerSlug),
    history: toHistory(await past.rateHistory(dataset, sourceKey)),
    /** Time of the last change to the market data. */
    asOf: context.market.figures.asOf,
    /** Path after `/v1` that returns the same data as JSON. */
    target: getRate.path.replace('{sourceKey}', encodeURIComponent(sourceKey)),
    /** Sentence about the price of the call to `target`. */
    cost: costSentence(getRate.price, dataset),
  }
}

import { accountTypes } from '#server/api/contract/account-types.ts'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { describePrice } from '#server/api/contract/prices.ts'
import type { Context } from '#server/api/endpoints/define.ts'
import { getRate } from '#server/api/endpoints/rates/get-rate.endpoint.ts'
import { type SavingsProduct, toSavingsProduct } from '#server/api/endpoints/rates/savings-product.ts'
import { isFictionalAddress, notices, type ShownDataset, shownDatasets } from './fiction.ts'
import type { Markets, PastFacts, ProductSketch, RateHistory } from './markets.ts'
import { pageContext } from './page-context.ts'
import { type Protection, protectionOf } from './protection.ts'

type Match = NonNullable<ReturnType<Context['market']['product']>>

/** One rate of the chart: two-decimal percent, from a day on; a null rate is a withdrawal. */
export type RateStep = { readonly date: string; readonly rate: string | null; readonly baseRate: string; readonly boostRate: string }

/** What heads the page, of every product that ever was. */
export type ProductHeading = {
  readonly provider: string
  readonly providerSlug: string
  readonly providerLogoUrl: string | null
  readonly accountName: string
  /** Display label. */
  readonly accountType: string
  readonly rate: string
}

/** The terms of a product, as the API has them and beyond. */
export type ProductTerms = {
  readonly product: SavingsProduct
  readonly termMonths: number | null
  readonly noticeDays: number | null
  /** The provider's own page, and when it was last seen to work. */
  readonly link: { readonly url: string; readonly checkedAt: string }
}

/** A product as its public page shows it. */
export type ProductPage = {
  readonly heading: ProductHeading
  /** Null for a product that only history knows. */
  readonly terms: ProductTerms | null
  /** Whether the provider is made up. */
  readonly isFictional: boolean
  /** What the page has to say of a made-up provider, or null. */
  readonly notice: string | null
  /** Day on which it left the list; null while it is listed. */
  readonly withdrawnOn: string | null
  /** Null when the provider is not listed any more. */
  readonly protection: Protection | null
  readonly history: { readonly from: string; readonly to: string; readonly steps: readonly RateStep[] }
  /** When the market data last changed. */
  readonly asOf: string | null
  /** Path under the version that gives the same as JSON, and what it costs. */
  readonly target: string
  readonly cost: string
}

const costs = {
  live: `Costs ${describePrice(getRate.price)} with a live key.`,
  sample: 'Free. Test keys read it, live keys do not.',
} as const

function toHistory({ from, to, steps }: RateHistory): ProductPage['history'] {
  const toStep = ({ date, rateBp, baseRateBp, boostRateBp }: RateHistory['steps'][number]) => ({
    date,
    rate: rateBp === null ? null : twoDecimals(rateBp),
    baseRate: twoDecimals(baseRateBp),
    boostRate: twoDecimals(boostRateBp),
  })
  return { from, to, steps: steps.map(toStep) }
}

type Found = { readonly dataset: ShownDataset; readonly sketch: ProductSketch; readonly match: Match | null; readonly withdrawnOn: string | null }

/** A listed product goes before one that was withdrawn, and a live one before one of the sample. */
async function find(markets: Markets, past: PastFacts, sourceKey: string): Promise<Found | null> {
  for (const dataset of shownDatasets) {
    const match = markets.dataset(dataset).product(sourceKey)
    if (match) return { dataset, sketch: match.product, match, withdrawnOn: null }
  }
  for (const dataset of shownDatasets) {
    const former = await past.formerProduct(dataset, sourceKey)
    if (former) return { dataset, sketch: former.sketch, match: former.product && { product: former.product, reasons: [] }, withdrawnOn: former.withdrawnOn }
  }
  return null
}

function toTerms(match: Match, context: Context): ProductTerms {
  const { url, urlCheckedAt, termMonths, noticeDays } = match.product
  return { product: toSavingsProduct(match, context), termMonths, noticeDays, link: { url, checkedAt: urlCheckedAt } }
}

const toHeading = ({ provider, providerSlug, providerLogoPath, accountName, accountType, rateBp }: ProductSketch): ProductHeading => ({
  provider,
  providerSlug,
  providerLogoUrl: providerLogoPath,
  accountName,
  accountType: accountTypes[accountType].label,
  rate: twoDecimals(rateBp),
})

/** Whether the firm behind a product is made up: by the product's address, or by that of its provider when no more is known. */
function isMadeUp({ dataset, sketch, match }: Found, market: Context['market']): boolean {
  if (dataset === 'sample') return true
  const address = match?.product.url ?? market.provider(sketch.providerSlug)?.website
  return address !== undefined && isFictionalAddress(address)
}

/** The page of a product that is or was listed; null for one that never was. Addresses in it are paths on this site. */
export async function productPage(markets: Markets, past: PastFacts, sourceKey: string): Promise<ProductPage | null> {
  const found = await find(markets, past, sourceKey)
  if (!found) return null
  const { dataset, sketch, match, withdrawnOn } = found
  const context = pageContext(markets.dataset(dataset), dataset === 'live' ? 'live' : 'test')
  const isFictional = isMadeUp(found, context.market)
  return {
    heading: toHeading(sketch),
    terms: match && toTerms(match, context),
    isFictional,
    notice: isFictional ? notices[dataset].product : null,
    withdrawnOn,
    protection: await protectionOf(context, sketch.providerSlug),
    history: toHistory(await past.rateHistory(dataset, sourceKey)),
    asOf: context.market.figures.asOf,
    target: getRate.path.replace('{sourceKey}', encodeURIComponent(sourceKey)),
    cost: costs[dataset],
  }
}

import { describePrice } from '../contract/prices.ts'
import type { Context } from '../endpoints/define.ts'
import { getRate } from '../endpoints/rates/get-rate.endpoint.ts'
import { type SavingsProduct, toSavingsProduct } from '../endpoints/rates/savings-product.ts'
import { pageContext } from './page-context.ts'

/** The markets as a page is handed them. */
export type Markets = { readonly dataset: (name: 'live' | 'sample') => Context['market'] }

/** A product as its public page shows it. */
export type ProductPage = {
  readonly product: SavingsProduct
  /** Whether the provider is made up. */
  readonly isFictional: boolean
  /** What the page has to say of a made-up provider, or null. */
  readonly notice: string | null
  /** Path under the version that gives the same as JSON, and what it costs. */
  readonly target: string
  readonly cost: string
}

/** Names below .example belong to nobody and never will (RFC 2606), so a firm with such an address does not exist. */
export function isFictionalAddress(url: string): boolean {
  return new URL(url).hostname.endsWith('.example')
}

const notices = {
  live: 'Demonstration product. This bank does not exist.',
  sample: 'Sample product. This bank does not exist.',
} as const

const costs = {
  live: `Costs ${describePrice(getRate.price)} with a live key.`,
  sample: 'Free. Test keys read it, live keys do not.',
} as const

/** Finds a product among the live ones, else among the samples; null when there is none. Addresses in it are paths on this site. */
export function productPage(markets: Markets, sourceKey: string): ProductPage | null {
  for (const dataset of ['live', 'sample'] as const) {
    const market = markets.dataset(dataset)
    const match = market.product(sourceKey)
    if (match) {
      const isFictional = dataset === 'sample' || isFictionalAddress(match.product.url)
      return {
        product: toSavingsProduct(match, pageContext(market, dataset === 'live' ? 'live' : 'test')),
        isFictional,
        notice: isFictional ? notices[dataset] : null,
        target: getRate.path.replace('{sourceKey}', encodeURIComponent(sourceKey)),
        cost: costs[dataset],
      }
    }
  }
  return null
}

/** What the live market holds, for whoever wants to know what they would pay for. */
export function coverageOf(markets: Markets): { products: number; providers: number; isFictional: boolean } {
  const live = markets.dataset('live')
  const providers = live.providers()
  return { products: live.productCount, providers: providers.length, isFictional: providers.every(({ website }) => isFictionalAddress(website)) }
}

import type { Context } from '#server/api/endpoints/define.ts'
import type { ShownDataset } from './fiction.ts'

type Market = Context['market']

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

/** Access to historical data for pages; documented in the market module. */
export type PastData = {
  readonly formerProduct: (
    dataset: ShownDataset,
    sourceKey: string,
  ) => Promise<{ readonly sketch: ProductSketch; readonly product: Product | null; readonly withdrawnOn: string } | null>
  readonly formerProvider: (dataset: ShownDataset, slug: string) => Promise<Provider | null>
  readonly rateHistory: (dataset: ShownDataset, sourceKey: string) => Promise<RateHistory>
}

import type { RateChange } from '../history/rate-change.ts'
import type { SwitchOffer } from '../offers.ts'
import type { Dataset, Product } from '../product.ts'

type About = {
  /** Sequence number. Consumers continue after the last number that they have processed. */
  readonly seq: number
  readonly dataset: Dataset
  /** Values that webhook filters match; null if not applicable. */
  readonly providerSlug: string | null
  readonly accountType: string | null
  /** Change of the rate in basis points, negative for a cut. */
  readonly rateChangeBp: number | null
  /** ISO 8601 UTC. */
  readonly createdAt: string
}

/**
 * Change made by an import, with the row as it was at that time. Serialised by the functions that endpoints use (`toHistoryRow`,
 * `toSavingsProduct`, `toSwitchOffer`), so the payload has the same shape as the rows of those endpoints.
 */
export type MarketEvent = About &
  (
    | { readonly type: 'rate.changed'; readonly change: RateChange }
    | { readonly type: 'product.added'; readonly product: Product }
    | { readonly type: 'product.withdrawn'; readonly product: Product }
    | { readonly type: 'switch_offer.changed'; readonly offer: SwitchOffer; readonly isWithdrawn: boolean }
  )

/** Public event id. Fixed length, so ids sort by sequence number. */
export const eventId = (seq: number): string => `evt_${seq.toString(36).padStart(9, '0')}`

import type { Dataset } from '../dataset.ts'
import type { RateChange } from '../history/rate-change.ts'
import type { Product } from '../product.ts'
import type { SwitchOffer } from '../switch-offer.ts'

type About = {
  /** Place in the order of events; a reader goes on behind the last one that it has. */
  readonly seq: number
  readonly dataset: Dataset
  /** What filters of receivers look at; null where it does not apply. */
  readonly providerSlug: string | null
  readonly accountType: string | null
  /** Signed, in hundredths of a percent. */
  readonly rateChangeBp: number | null
  /** ISO 8601 UTC. */
  readonly createdAt: string
}

/**
 * Something that an import changed, with what it was about as it stood then. It is written out by the functions that endpoints use
 * (`toHistoryRow`, `toSavingsProduct`, `toSwitchOffer`), so that it has the shape of their rows.
 */
export type MarketEvent = About &
  (
    | { readonly type: 'rate.changed'; readonly change: RateChange }
    | { readonly type: 'product.added'; readonly product: Product }
    | { readonly type: 'product.withdrawn'; readonly product: Product }
    | { readonly type: 'switch_offer.changed'; readonly offer: SwitchOffer; readonly isWithdrawn: boolean }
  )

/** How receivers see the number of an event. Texts of equal length, so that they sort as the numbers do. */
export const eventId = (seq: number): string => `evt_${seq.toString(36).padStart(9, '0')}`

import type { SwitchOffer } from './offers.ts'
import type { Product } from './product.ts'
import type { Provider } from './provider.ts'

/** Rows that are no longer listed. */
export type Withdrawn = { readonly products: readonly Product[]; readonly providers: readonly Provider[]; readonly switchOffers: readonly SwitchOffer[] }

export const noneWithdrawn: Withdrawn = { products: [], providers: [], switchOffers: [] }

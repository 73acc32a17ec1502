import file from '../data/currencies.json' with { type: 'json' }

/** A currency that cards and exchange rates can be asked for: ISO 4217 code, English name, region of the world. */
export type Currency = { readonly code: string; readonly name: string; readonly region: string }

/** Every currency accepted in `?currency=`, by code. The sources stand in the data file. */
export const currencies: readonly Currency[] = file.currencies

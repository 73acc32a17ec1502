import file from '../data/currencies.json' with { type: 'json' }

/** Currency supported by card and exchange-rate filters: ISO 4217 code, English name, world region. */
export type Currency = { readonly code: string; readonly name: string; readonly region: string }

/** Currencies accepted in `?currency=`, by code. Sources are cited in the data file. */
export const currencies: readonly Currency[] = file.currencies

import { boeBankRate, boeEffectiveRates, boeQuotedRates } from './boe-iadb.ts'
import { currencyApi } from './currency-api.ts'
import { ecbKeyRates } from './ecb-key-rates.ts'
import { ecbFxDaily, ecbFxHistory, ecbFxRecent } from './eurofxref.ts'
import { onsCpi, onsCpih, onsRpi } from './ons-series.ts'
import type { Source } from './source.ts'

/** Sources that `MARKET_SOURCES` can name. */
export const sources: readonly Source[] = [
  boeBankRate,
  boeQuotedRates,
  boeEffectiveRates,
  ecbKeyRates,
  ecbFxDaily,
  ecbFxRecent,
  ecbFxHistory,
  onsCpi,
  onsCpih,
  onsRpi,
  currencyApi,
]

const byName: ReadonlyMap<string, Source> = new Map(sources.map((source) => [source.name, source]))

export const sourceNames: readonly string[] = [...byName.keys()]

export function sourceNamed(name: string): Source | undefined {
  return byName.get(name)
}

/** Sources of central bank exchange rates. They take precedence over indicative rates of the same day. */
export const officialRates: readonly string[] = [ecbFxDaily, ecbFxRecent, ecbFxHistory].map(({ name }) => name)

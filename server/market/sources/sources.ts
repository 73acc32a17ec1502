import { suggestion } from '#server/api/contract/nearest.ts'
import { type FeedKind, feedKinds } from '../import/feed-kind.ts'
import { boeBankRate, boeEffectiveRates, boeQuotedRates } from './boe-iadb.ts'
import { currencyApi } from './currency-api.ts'
import { ecbKeyRates } from './ecb-key-rates.ts'
import { ecbFxDaily, ecbFxHistory, ecbFxRecent } from './eurofxref.ts'
import { onsCpi, onsCpih, onsRpi } from './ons-series.ts'
import type { FeedSource, Source } from './source.ts'

/** Sources of public statistics that `MARKET_SOURCES` can name. */
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

export const sourceNamed = (name: string): Source | undefined => sources.find((source) => source.name === name)

/** Sources of central bank exchange rates. They take precedence over indicative rates for the same day. */
export const officialRates: readonly string[] = [ecbFxDaily, ecbFxRecent, ecbFxHistory].map(({ name }) => name)

const feedSource = (feed: FeedKind): FeedSource => ({
  name: `feed-${feed.replaceAll('_', '-')}`,
  title: `Operator feed, ${feed.replaceAll('_', ' ')}`,
  // The licence is between the operator and the supplier of the feed.
  licence: 'As agreed by the operator',
  format: 'ndjson',
  kind: 'feed',
  feed,
  // Feeds arrive daily; missing one is acceptable.
  freshDays: 2,
})

/** One source per kind of feed. These sources have no default URL, so MARKET_SOURCES must set one: `feed-product=https://…`. */
export const feedSources: readonly FeedSource[] = feedKinds.map(feedSource)

/** Source to fetch, and its URL. */
export type ConfiguredSource = { readonly source: Source | FeedSource; readonly url: string }

const allNames = [...sources, ...feedSources].map(({ name }) => name)

/** Matches the commas between entries. Bank of England URLs contain commas, so a comma only separates entries if a source name follows. */
const betweenEntries = /,(?=\s*(?:,|$|[a-z][a-z0-9_-]*\s*(?:=\s*https?:|,|$)))/

function readEntry(entry: string): ConfiguredSource {
  const sign = entry.indexOf('=')
  const name = (sign < 0 ? entry : entry.slice(0, sign)).trim()
  const source = sourceNamed(name) ?? feedSources.find((feed) => feed.name === name)
  if (!source) throw new Error(`contains the unknown source "${name.slice(0, 60)}".${suggestion(name, allNames)} Valid sources: ${allNames.join(', ')}`)
  if (sign < 0 && source.kind !== 'feed') return { source, url: source.url }
  if (sign < 0) throw new Error(`needs a URL for ${name}: write ${name}=https://…`)
  const url = entry.slice(sign + 1).trim()
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new Error(`has an invalid URL for ${name}: write ${name}=https://…`)
  return { source, url }
}

/**
 * Parses `MARKET_SOURCES`: comma-separated source names, each optionally with `=` and a URL. Empty means nothing is fetched.
 * @throws Error with a message that follows the name of the variable.
 */
export function readMarketSources(text: string): ConfiguredSource[] {
  const entries = text
    .split(betweenEntries)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const configured = entries.map(readEntry)
  const names = configured.map(({ source }) => source.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`lists ${twice} twice`)
  return configured
}

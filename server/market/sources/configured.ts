import { suggestion } from '../../contract/nearest.ts'
import { feedSources } from './feed-sources.ts'
import type { FeedSource, Source } from './source.ts'
import { sourceNamed, sourceNames } from './sources.ts'

/** A source that is to be fetched, and from where. */
export type ConfiguredSource = { readonly source: Source | FeedSource; readonly url: string }

const feeds: ReadonlyMap<string, FeedSource> = new Map(feedSources.map((source) => [source.name, source]))
const allNames = [...sourceNames, ...feeds.keys()]

/** Addresses of the Bank of England hold commas themselves; the name of a source after a comma tells where the next entry begins. */
const betweenEntries = /,(?=\s*(?:,|$|[a-z][a-z0-9_-]*\s*(?:=\s*https?:|,|$)))/

function readEntry(entry: string): ConfiguredSource {
  const sign = entry.indexOf('=')
  const name = (sign < 0 ? entry : entry.slice(0, sign)).trim()
  const source = sourceNamed(name) ?? feeds.get(name)
  if (!source) throw new Error(`has the unknown source "${name.slice(0, 60)}".${suggestion(name, allNames)} Known: ${allNames.join(', ')}`)
  if (sign < 0 && source.kind === 'feed') throw new Error(`needs an address for ${name}; write ${name}=https://…`)
  if (sign < 0 && source.kind !== 'feed') return { source, url: source.url }
  const url = entry.slice(sign + 1).trim()
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new Error(`has no usable address for ${name}; write ${name}=https://…`)
  return { source, url }
}

/**
 * Reads `MARKET_SOURCES`: names apart by commas, each with `=` and another address where the usual one will not do. Empty: nothing is fetched.
 * @throws Error whose message goes on from the name of the variable.
 */
export function readMarketSources(text: string): ConfiguredSource[] {
  const entries = text
    .split(betweenEntries)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const configured = entries.map(readEntry)
  const names = configured.map(({ source }) => source.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`names ${twice} twice`)
  return configured
}

import providerNames from '../data/provider-names.json' with { type: 'json' }
import { generateAccountOffers } from './generate-account-offers.ts'
import { generateCards } from './generate-cards.ts'
import { generateProducts } from './generate-products.ts'
import { generateProviders, withTrust } from './generate-providers.ts'
import { generateRateHistory } from './generate-rate-history.ts'
import { generateServiceQuality } from './generate-service-quality.ts'
import { generateSwitchOffers } from './generate-switch-offers.ts'
import { marketDay } from './market-day.ts'
import { Random } from './random.ts'

export type MarketOptions = {
  /** Number of savings products. */
  readonly products: number
  /** Number of days of history, ending with `until`; 0 for none. The other feeds don't depend on the history. */
  readonly days: number
  /** Last day of the history, ISO date. Defaults to `marketDay`. */
  readonly until?: string
  readonly seed: number
  /** Market whose provider names and settings are used. The sample has ten providers. */
  readonly cast?: 'demonstration' | 'sample'
}

/** Feed file with its full text. */
export type FeedFile = { readonly fileName: string; readonly text: string }

/** Feed file whose text is generated lazily. */
export type FeedPieces = { readonly fileName: string; readonly pieces: Iterable<string> }

/**
 * Settings of each market. The names are fictional: none may be mistaken for a real firm, which a test checks against the FSCS data, and no name is used in
 * both markets. `issuers` lists card issuers without savings products, so that some of the cards have no provider.
 */
const casts = {
  demonstration: {
    names: providerNames.demonstration,
    word: 'demonstration',
    issuers: ['Farthing & Fare', 'Globewren', 'Passage Penny'],
    cardsPerList: 14,
    withCurrentAccounts: 25,
  },
  sample: { names: providerNames.sample, word: 'sample', issuers: ['Tuppenny Way'], cardsPerList: 4, withCurrentAccounts: 100 },
} as const

const ndjson = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`)

/**
 * Generates a market. The same options give the same files, byte for byte. Import the feeds in the returned order: all other feeds reference providers, and the
 * last changes in the rate history must match the current products.
 */
export function marketFeeds({ products, days, until = marketDay, seed, cast = 'demonstration' }: MarketOptions): FeedPieces[] {
  const { names, word, issuers: outsiders, cardsPerList: perList, withCurrentAccounts } = casts[cast]
  // Each feed has its own random source, so that adding products doesn't change the providers or cards.
  const source = (part: number) => new Random(seed + part)
  const providers = generateProviders({ names, word, withCurrentAccounts, random: source(0) })
  const banks = providers.filter(({ cassParticipant }) => cassParticipant)
  const listed = generateProducts({ providers, products, word, random: source(1) })
  const feeds = [
    { fileName: 'providers.ndjson', pieces: ndjson(withTrust(providers, word, source(3))) },
    { fileName: 'products.ndjson', pieces: ndjson(listed) },
    { fileName: 'cards.ndjson', pieces: ndjson(generateCards({ providers, outsiders, perList, word, random: source(2), termsRandom: source(4) })) },
    { fileName: 'switch-offers.ndjson', pieces: ndjson(generateSwitchOffers(banks, word, source(5))) },
    { fileName: 'account-offers.ndjson', pieces: ndjson(generateAccountOffers(banks, word, source(6))) },
    { fileName: 'service-quality.ndjson', pieces: ndjson(generateServiceQuality(banks, word, source(7))) },
  ]
  const history = { fileName: 'rate-history.ndjson', pieces: generateRateHistory({ products: listed, days, until, random: source(8) }) }
  return days > 0 ? [...feeds, history] : feeds
}

/** Generates the feeds of a market with their full contents. For markets that fit in memory. */
export function generateMarket(options: MarketOptions): FeedFile[] {
  return marketFeeds(options).map(({ fileName, pieces }) => ({ fileName, text: [...pieces].join('') }))
}

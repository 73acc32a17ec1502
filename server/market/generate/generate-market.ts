import { generateAccountOffers } from './generate-account-offers.ts'
import { generateCards } from './generate-cards.ts'
import { generateProducts } from './generate-products.ts'
import { generateProviders } from './generate-providers.ts'
import { generateRateHistory } from './generate-rate-history.ts'
import { generateServiceQuality } from './generate-service-quality.ts'
import { generateSwitchOffers } from './generate-switch-offers.ts'
import { withTrust } from './generate-trust.ts'
import { demonstrationNames, sampleNames } from './provider-names.ts'
import { Random } from './random.ts'

export type MarketOptions = {
  /** How many savings products. */
  readonly products: number
  /** Days of history up to `until`; none without any. The other feeds are the same with and without. */
  readonly days: number
  /** Last day of the history, ISO date; `marketDay` when it is left out. */
  readonly until?: string
  readonly seed: number
  /** Whose names: those of the demonstration market, or the ten of the sample. */
  readonly cast?: 'demonstration' | 'sample'
}

/** A feed file: its name and its whole text. */
export type FeedFile = { readonly fileName: string; readonly text: string }

/** A feed file whose text is made piece by piece when it is gone through. */
export type FeedPieces = { readonly fileName: string; readonly pieces: Iterable<string> }

/** The day on which a history ends unless told otherwise. */
export const marketDay = '2026-11-20'

/** Card issuers that offer no savings, so that cards without a provider of the rates data occur. */
const casts = {
  demonstration: {
    names: demonstrationNames,
    word: 'demonstration',
    issuers: ['Farthing & Fare', 'Globewren', 'Passage Penny'],
    cardsPerList: 14,
    withCurrentAccounts: 25,
  },
  sample: { names: sampleNames, word: 'sample', issuers: ['Tuppenny Way'], cardsPerList: 4, withCurrentAccounts: 100 },
} as const

const ndjson = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`)

/**
 * Invents a market: the same options give the same files, byte for byte. The feeds are to be imported in this order, because all the
 * others name providers, and past changes have to lead to the products.
 */
export function marketFeeds({ products, days, until = marketDay, seed, cast = 'demonstration' }: MarketOptions): FeedPieces[] {
  const { names, word, issuers: outsiders, cardsPerList: perList, withCurrentAccounts } = casts[cast]
  // Each part draws from its own source, so that more products do not change the providers or the cards.
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

/** The feeds of a market with their whole texts, for a market that is not too large for that. */
export function generateMarket(options: MarketOptions): FeedFile[] {
  return marketFeeds(options).map(({ fileName, pieces }) => ({ fileName, text: [...pieces].join('') }))
}

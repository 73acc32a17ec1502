import { generateAccountOffers } from './generate-account-offers.ts'
import { generateCards } from './generate-cards.ts'
import { generateProducts } from './generate-products.ts'
import { generateProviders } from './generate-providers.ts'
import { generateServiceQuality } from './generate-service-quality.ts'
import { generateSwitchOffers } from './generate-switch-offers.ts'
import { withTrust } from './generate-trust.ts'
import { demonstrationNames, sampleNames } from './provider-names.ts'
import { Random } from './random.ts'

export type MarketOptions = {
  /** How many savings products. */
  readonly products: number
  /** Days of history behind today. Feeds hold only today; it is taken so that a market keeps its seed when histories are added. */
  readonly days: number
  readonly seed: number
  /** Whose names: those of the demonstration market, or the ten of the sample. */
  readonly cast?: 'demonstration' | 'sample'
}

/** A feed file: its name and its whole text. */
export type FeedFile = { readonly fileName: string; readonly text: string }

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

const ndjson = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

/**
 * Invents a market: the same options give the same files, byte for byte. The feeds are to be imported in this order, because all the
 * others name providers.
 */
export function generateMarket({ products, seed, cast = 'demonstration' }: MarketOptions): FeedFile[] {
  const { names, word, issuers: outsiders, cardsPerList: perList, withCurrentAccounts } = casts[cast]
  // Each part draws from its own source, so that more products do not change the providers or the cards.
  const source = (part: number) => new Random(seed + part)
  const providers = generateProviders({ names, word, withCurrentAccounts, random: source(0) })
  const banks = providers.filter(({ cassParticipant }) => cassParticipant)
  return [
    { fileName: 'providers.ndjson', text: ndjson(withTrust(providers, word, source(3))) },
    { fileName: 'products.ndjson', text: ndjson(generateProducts({ providers, products, word, random: source(1) })) },
    { fileName: 'cards.ndjson', text: ndjson(generateCards({ providers, outsiders, perList, word, random: source(2), termsRandom: source(4) })) },
    { fileName: 'switch-offers.ndjson', text: ndjson(generateSwitchOffers(banks, word, source(5))) },
    { fileName: 'account-offers.ndjson', text: ndjson(generateAccountOffers(banks, word, source(6))) },
    { fileName: 'service-quality.ndjson', text: ndjson(generateServiceQuality(banks, word, source(7))) },
  ]
}

import { generateCards } from './generate-cards.ts'
import { generateProducts } from './generate-products.ts'
import { generateProviders } from './generate-providers.ts'
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
  },
  sample: { names: sampleNames, word: 'sample', issuers: ['Tuppenny Way'], cardsPerList: 4 },
} as const

const ndjson = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

/**
 * Invents a market: the same options give the same files, byte for byte. Three feeds, to be imported in this order, because products and
 * cards name providers.
 */
export function generateMarket({ products, seed, cast = 'demonstration' }: MarketOptions): FeedFile[] {
  const { names, word, issuers, cardsPerList } = casts[cast]
  // Each part draws from its own source, so that more products do not change the providers or the cards.
  const providers = generateProviders(names, word, new Random(seed))
  const rows = generateProducts({ providers, products, word, random: new Random(seed + 1) })
  const cards = generateCards(providers, issuers, cardsPerList, new Random(seed + 2))
  return [
    { fileName: 'providers.ndjson', text: ndjson(providers) },
    { fileName: 'products.ndjson', text: ndjson(rows) },
    { fileName: 'cards.ndjson', text: ndjson(cards) },
  ]
}

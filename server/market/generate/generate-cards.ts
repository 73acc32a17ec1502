import type { CardList } from '../card.ts'
import { drawTerms, type GeneratedTerms } from './card-terms.ts'
import { type GeneratedProvider, toSlug } from './generate-providers.ts'
import type { Random } from './random.ts'

/** Card as a feed record. */
export type GeneratedCard = {
  readonly kind: 'card'
  readonly sourceKey: string
  readonly list: CardList
  readonly name: string
  readonly provider: string
  readonly providerSlug: string | null
} & GeneratedTerms

const names: Record<CardList, readonly string[]> = {
  rewards: ['Cashback Credit Card', 'Rewards Card', 'Points Credit Card', 'Everyday Cashback Card', 'Miles Card', 'Premium Rewards Card'],
  travel: ['Travel Debit Card', 'Travel Credit Card', 'Prepaid Currency Card', 'Abroad Card', 'Travel Money Card', 'Fee-Free Travel Card'],
}

type Issuer = { readonly name: string; readonly slug: string | null }

/** Picks the issuer of a card: every fourth card is issued by a firm without savings, the others by the banks in turn. */
function pickIssuer(index: number, banks: readonly Issuer[], outsiders: readonly Issuer[]): Issuer {
  const outside = index % 4 === 3 ? outsiders[Math.floor(index / 4) % outsiders.length] : undefined
  const issuer = outside ?? banks[index % banks.length]
  if (issuer === undefined) throw new RangeError('No bank available to issue a card.')
  return issuer
}

function toCard(list: CardList, name: string, { name: provider, slug: providerSlug }: Issuer, terms: GeneratedTerms): GeneratedCard {
  const full = `${provider} ${name}`
  return { kind: 'card', sourceKey: toSlug(full), list, name: full, provider, providerSlug, ...terms }
}

export type CardDraw = {
  readonly providers: readonly GeneratedProvider[]
  /** Names of issuers that aren't providers in the market. */
  readonly outsiders: readonly string[]
  readonly perList: number
  /** Kind of market, for legal texts. */
  readonly word: string
  /** Picks the issuer of each card. */
  readonly random: Random
  /** Picks the terms. Separate, so that new terms don't change the issuers. */
  readonly termsRandom: Random
}

/** Generates cards sorted by key, the same number for each list. */
export function generateCards({ providers, outsiders, perList, word, random, termsRandom }: CardDraw): GeneratedCard[] {
  const others = outsiders.map((name) => ({ name, slug: null }))
  const cards = (['rewards', 'travel'] as const).flatMap((list) => {
    const banks = random.shuffled(providers.filter(({ providerType }) => providerType === 'bank'))
    return Array.from({ length: perList }, (_, index) => {
      const name = names[list][index % names[list].length] ?? list
      return toCard(list, name, pickIssuer(index, banks, others), drawTerms(list, name, word, termsRandom))
    })
  })
  return cards.sort((a, b) => (a.sourceKey < b.sourceKey ? -1 : 1))
}

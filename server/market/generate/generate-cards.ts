import type { CardList } from '../card.ts'
import { type GeneratedProvider, slugOf } from './generate-providers.ts'
import type { Random } from './random.ts'

/** A card as a line of a card feed. */
export type GeneratedCard = {
  readonly kind: 'card'
  readonly sourceKey: string
  readonly list: CardList
  readonly name: string
  readonly provider: string
  readonly providerSlug: string | null
}

const names: Record<CardList, readonly string[]> = {
  rewards: ['Cashback Credit Card', 'Rewards Card', 'Points Credit Card', 'Everyday Cashback Card', 'Miles Card', 'Premium Rewards Card'],
  travel: ['Travel Debit Card', 'Travel Credit Card', 'Prepaid Currency Card', 'Abroad Card', 'Travel Money Card', 'Fee-Free Travel Card'],
}

type Issuer = { readonly name: string; readonly slug: string | null }

/** Every fourth card comes from a firm without savings, the others from the banks in turn. */
function issuerOf(index: number, banks: readonly Issuer[], outsiders: readonly Issuer[]): Issuer {
  const outside = index % 4 === 3 ? outsiders[Math.floor(index / 4) % outsiders.length] : undefined
  const issuer = outside ?? banks[index % banks.length]
  if (issuer === undefined) throw new RangeError('There is no bank to issue a card.')
  return issuer
}

function cardOf(list: CardList, name: string, { name: provider, slug: providerSlug }: Issuer): GeneratedCard {
  const full = `${provider} ${name}`
  return { kind: 'card', sourceKey: slugOf(full), list, name: full, provider, providerSlug }
}

/** Invents cards, as many of each list, sorted by key. `outsiders` are the names of issuers that are no providers of the market. */
export function generateCards(providers: readonly GeneratedProvider[], outsiders: readonly string[], perList: number, random: Random): GeneratedCard[] {
  const others = outsiders.map((name) => ({ name, slug: null }))
  const cards = (['rewards', 'travel'] as const).flatMap((list) => {
    const banks = random.shuffled(providers.filter(({ providerType }) => providerType === 'bank'))
    return Array.from({ length: perList }, (_, index) => {
      const name = names[list][index % names[list].length] ?? list
      return cardOf(list, name, issuerOf(index, banks, others))
    })
  })
  return cards.sort((a, b) => (a.sourceKey < b.sourceKey ? -1 : 1))
}

import { cardSvg } from './card-image.ts'
import { datasets } from './dataset.ts'
import { monogramSvg } from './logo.ts'
import type { MarketSnapshot } from './snapshot.ts'

export type Pictures = {
  /** The monogram of an active provider as SVG; null when there is none. */
  readonly logo: (dataset: string, slug: string) => string | null
  /** The drawn picture of a card as SVG; null when there is no such card. */
  readonly cardImage: (dataset: string, sourceKey: string) => string | null
}

/** Logos and pictures of cards, of the market as it is when one is asked for. */
export function picturesOf(market: () => MarketSnapshot): Pictures {
  const viewOf = (name: string) => {
    const dataset = datasets.find((known) => known === name)
    return dataset && market().dataset(dataset)
  }
  return {
    logo: (dataset, slug) => {
      const provider = viewOf(dataset)?.provider(slug)
      return provider?.colour ? monogramSvg(provider.name, provider.colour) : null
    },
    cardImage: (dataset, sourceKey) => {
      const card = viewOf(dataset)?.card(sourceKey)
      return card ? cardSvg(card) : null
    },
  }
}

import { cardSvg, monogramSvg } from './images.ts'
import { datasets } from './product.ts'
import type { MarketSnapshot } from './snapshot.ts'

export type Pictures = {
  /** Monogram of an active provider as SVG; null if it has none. */
  readonly logo: (dataset: string, slug: string) => string | null
  /** Image of a card as SVG; null if the card doesn't exist. */
  readonly cardImage: (dataset: string, sourceKey: string) => string | null
}

/** Renders logos and card images from the current market. */
export function createPictures(market: () => MarketSnapshot): Pictures {
  const getView = (name: string) => {
    const dataset = datasets.find((known) => known === name)
    return dataset && market().dataset(dataset)
  }
  return {
    logo: (dataset, slug) => {
      const provider = getView(dataset)?.provider(slug)
      return provider?.colour ? monogramSvg(provider.name, provider.colour) : null
    },
    cardImage: (dataset, sourceKey) => {
      const card = getView(dataset)?.card(sourceKey)
      return card ? cardSvg(card) : null
    },
  }
}

import { cardSvg, monogramSvg } from './images.ts'
import { datasets } from './product.ts'
import type { MarketSnapshot } from './snapshot.ts'

/** Renders logos and card images from the current market. */
export function createPictures(market: () => MarketSnapshot) {
  const getView = (name: string) => {
    const dataset = datasets.find((known) => known === name)
    return dataset && market().dataset(dataset)
  }
  return {
    /** Monogram of an active provider as SVG; null if it has none. */
    logo: (dataset: string, slug: string) => {
      const provider = getView(dataset)?.provider(slug)
      return provider?.colour ? monogramSvg(provider.name, provider.colour) : null
    },
    /** Image of a card as SVG; null if the card doesn't exist. */
    cardImage: (dataset: string, sourceKey: string) => {
      const card = getView(dataset)?.card(sourceKey)
      return card ? cardSvg(card) : null
    },
  }
}

import { missing, type RefusedError } from '../contract/errors.ts'
import { suggestion } from '../contract/nearest.ts'
import type { MarketView } from '../market/snapshot.ts'

/** Refusals of keys and slugs that lead nowhere. The nearest name is one of the market that was asked, so a test key is offered names of the sample alone. */

/** What to do about a provider that there is not: ask for the one that was meant, or look it up. */
export function nextForProvider(slug: string, market: MarketView): string {
  return `${suggestion(slug, market.providerSlugs())} See /reference/providers.`
}

export function missingProvider(slug: string, market: MarketView): RefusedError {
  return missing('provider', slug, nextForProvider(slug, market))
}

/** What to do about a product that there is not: ask for the one that was meant, or look it up. */
export function nextForProduct(sourceKey: string, market: MarketView): string {
  const keys = market.referenceProducts({}).map((product) => product.sourceKey)
  return `${suggestion(sourceKey, keys)} See /reference/products.`
}

export function missingProduct(sourceKey: string, market: MarketView): RefusedError {
  return missing('product', sourceKey, nextForProduct(sourceKey, market))
}

export function missingCard(sourceKey: string, market: MarketView): RefusedError {
  const keys = market.cards().map((card) => card.sourceKey)
  return missing('card', sourceKey, `${suggestion(sourceKey, keys)} See /reference/cards.`)
}

/** Public figures come with the daily import, so one that is not there may be there the next day. */
export function missingStatistic(series: string): RefusedError {
  return missing('statistic', series, ' It has not been taken in yet. Try again tomorrow.')
}

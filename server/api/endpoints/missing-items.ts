import { missing, type RefusedError } from '#server/api/contract/errors.ts'
import { suggestion } from '#server/api/contract/nearest.ts'
import type { MarketView } from '#server/market/snapshot.ts'

/** Errors for unknown keys and slugs. Suggestions come from the caller's dataset, so a test key only sees names from the sample. */

/** Returns advice for an unknown provider: the closest slug, and where to find all slugs. */
export function nextForProvider(slug: string, market: MarketView): string {
  return `${suggestion(slug, market.providerSlugs())} See /reference/providers.`
}

export function missingProvider(slug: string, market: MarketView): RefusedError {
  return missing('provider', slug, nextForProvider(slug, market))
}

/** Returns advice for an unknown product: the closest key, and where to find all keys. */
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

/** Creates a 404 error for a public statistic that has not been imported yet. The import runs daily. */
export function missingStatistic(series: string): RefusedError {
  return missing('statistic', series, ' It has not been imported yet. Try again tomorrow.')
}

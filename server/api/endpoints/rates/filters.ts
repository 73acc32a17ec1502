import { accountTypeValues } from '#server/api/contract/account-types.ts'
import { invalid } from '#server/api/contract/errors.ts'
import { queryEnum, queryText } from '#server/api/contract/query.ts'
import type { MarketView } from '#server/market/snapshot.ts'
import { nextForProvider } from '../missing-items.ts'

/** Filters shared by the product lists. */
export const productFilters = {
  type: queryEnum(accountTypeValues).optional().describe('Account type. Default: "all".'),
  provider: queryText().optional().describe('Slug of a provider, as in /reference/providers.'),
}

/** Rejects unknown providers, because an empty result doesn't reveal a typo. */
export function checkProvider(slug: string | undefined, market: MarketView): void {
  if (slug === undefined || market.hasProvider(slug)) return
  throw invalid(`There is no provider "${slug.slice(0, 60)}".${nextForProvider(slug, market)}`)
}

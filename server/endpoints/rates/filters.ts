import { accountTypeValues } from '../../contract/account-types.ts'
import { invalid } from '../../contract/errors.ts'
import { queryEnum, queryText } from '../../contract/query.ts'
import type { MarketView } from '../../market/snapshot.ts'
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

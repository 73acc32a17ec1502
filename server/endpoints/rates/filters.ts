import { accountTypeValues } from '../../contract/account-types.ts'
import { invalid } from '../../contract/errors.ts'
import { queryEnum, queryText } from '../../contract/query.ts'
import type { MarketView } from '../../market/snapshot.ts'
import { nextForProvider } from '../missing-items.ts'

/** Filters that the lists of products share. */
export const productFilters = {
  type: queryEnum(accountTypeValues).optional().describe('Account type; "all" is the same as leaving it out.'),
  provider: queryText().optional().describe('Slug of a provider, as in /reference/providers.'),
}

/** Refuses a provider that does not exist, because an empty answer to a typo helps nobody. */
export function checkProvider(slug: string | undefined, market: MarketView): void {
  if (slug === undefined || market.hasProvider(slug)) return
  throw invalid(`There is no provider "${slug.slice(0, 60)}".${nextForProvider(slug, market)}`)
}

import type { ProductType } from '#server/api/contract/account-types.ts'
import type { Product } from '../product.ts'
import { mean, median, percentile, share, unlessTooFew } from './distribution.ts'
import type { PastRates } from './movement.ts'

/** Summary statistics of one account type. Rates and shares in hundredths of a percent. Null if there are no products, or the average is withheld. */
export type CategoryFigures = {
  readonly accountType: ProductType
  readonly productCount: number
  readonly providerCount: number
  readonly institutionCount: number
  readonly minBp: number | null
  readonly maxBp: number | null
  readonly averageBp: number | null
  readonly percentile90Bp: number | null
  readonly newCustomersOnlyShareBp: number | null
  readonly withBonusShareBp: number | null
  readonly fscsShareBp: number | null
}

/** Averages of one account type and term. Null if withheld. */
export type AverageFigures = {
  readonly accountType: ProductType
  readonly termMonths: number | null
  readonly productCount: number
  readonly institutionCount: number
  readonly averageBp: number | null
  readonly medianBp: number | null
  readonly bestBp: number
  readonly monthAgoBp: number | null
  readonly yearAgoBp: number | null
}

/** Deposit protection scheme and banking licence. Providers on one licence are one institution. */
export type Institution = { readonly licenceGroup: string; readonly protectionScheme: string }

export type FindInstitution = (providerSlug: string) => Institution | undefined

const sum = (rates: readonly number[]) => rates.reduce((total, rate) => total + rate, 0)

function countInstitutions(products: readonly Product[], of: FindInstitution): number {
  return new Set(products.map(({ providerSlug }) => of(providerSlug)?.licenceGroup ?? providerSlug)).size
}

/** Calculates the statistics of a type. `products` are sorted by rate, best first. */
export function categoryFigures(accountType: ProductType, products: readonly Product[], of: FindInstitution): CategoryFigures {
  const rising = products.map(({ rateBp }) => rateBp).reverse()
  const institutionCount = countInstitutions(products, of)
  const toShare = (has: (product: Product) => boolean) => share(products.filter(has).length, products.length)
  return {
    accountType,
    productCount: products.length,
    providerCount: new Set(products.map(({ providerSlug }) => providerSlug)).size,
    institutionCount,
    minBp: rising[0] ?? null,
    maxBp: rising.at(-1) ?? null,
    averageBp: unlessTooFew(mean(sum(rising), rising.length), institutionCount),
    percentile90Bp: percentile(rising, 90),
    newCustomersOnlyShareBp: toShare(({ newCustomersOnly }) => newCustomersOnly),
    withBonusShareBp: toShare(({ boostRateBp }) => boostRateBp > 0),
    // Schemes are named in full, such as `FSCS (demonstration provider)`.
    fscsShareBp: toShare(({ providerSlug }) => /^FSCS\b/.test(of(providerSlug)?.protectionScheme ?? '')),
  }
}

/** Past average. An account with an unknown term counts only if no account of its type has a term. */
function pastAverage(past: readonly PastRates[], isWanted: (rates: PastRates) => boolean): number | null {
  const found = past.filter(isWanted)
  const total = (of: 'sumBp' | 'count') => found.reduce((sum, rates) => sum + rates[of], 0)
  return unlessTooFew(mean(total('sumBp'), total('count')), new Set(found.flatMap(({ institutions }) => institutions)).size)
}

/**
 * Averages of a type by term: accounts without a term first, then by length. `products` are sorted by rate, best first, so the first of each term
 * is its best.
 */
export function averageFigures(
  accountType: ProductType,
  products: readonly Product[],
  { of, monthAgo, yearAgo }: { of: FindInstitution; monthAgo: readonly PastRates[]; yearAgo: readonly PastRates[] },
): AverageFigures[] {
  const terms = Map.groupBy(products, ({ termMonths }) => termMonths)
  const hasTerms = products.some(({ termMonths }) => termMonths !== null)
  return [...terms]
    .sort(([a], [b]) => (a ?? 0) - (b ?? 0))
    .map(([termMonths, group]) => {
      const rates = group.map(({ rateBp }) => rateBp)
      const isWanted = (past: PastRates) => past.accountType === accountType && (past.isTermKnown ? past.termMonths === termMonths : !hasTerms)
      const institutionCount = countInstitutions(group, of)
      return {
        accountType,
        termMonths,
        productCount: group.length,
        institutionCount,
        averageBp: unlessTooFew(mean(sum(rates), rates.length), institutionCount),
        medianBp: unlessTooFew(median(rates), institutionCount),
        bestBp: rates[0] ?? 0,
        monthAgoBp: pastAverage(monthAgo, isWanted),
        yearAgoBp: pastAverage(yearAgo, isWanted),
      }
    })
}

import type { ProductType } from '#server/api/contract/account-types.ts'
import type { CardList, CommonTerms, RewardCard, TravelCard } from '../cards.ts'
import type { Product } from '../product.ts'
import type { Movement, PastRates } from './movement.ts'

/**
 * Statistics over rates in whole basis points. Uses only integers; a sum of 100,000 rates stays far below 2^53. Rates are never negative, so rounding half up
 * is the same as rounding half away from zero.
 */

/** Divides, rounding half up to a whole number. */
export function halfUp(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator))
}

/** Returns the arithmetic mean, rounded half up; null if the count is 0. */
export function mean(sum: number, count: number): number | null {
  return count === 0 ? null : halfUp(sum, count)
}

/** Returns the median of sorted rates; for an even count, the mean of the middle two, rounded half up. Null if there are no rates. */
export function median(sorted: readonly number[]): number | null {
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  return upper === undefined || lower === undefined ? null : halfUp(lower + upper, 2)
}

/** Returns the percentile by nearest rank: the lowest rate such that at least `percent` % of the rates are equal or lower. Null if there are no rates. */
export function percentile(sorted: readonly number[], percent: number): number | null {
  return sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? null
}

/** Returns a ratio in basis points, rounded half up; null if `whole` is 0. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : halfUp(part * 10_000, whole)
}

/** Minimum number of institutions for an average, following the Bank of England. With fewer institutions, an average could reveal the rates of one of them. */
export const minInstitutions = 3

/** Returns the average, or null if there are too few institutions to publish it. */
export function unlessTooFew(average: number | null, institutions: number): number | null {
  return institutions < minInstitutions ? null : average
}

/** Banking licence and deposit protection scheme of a provider. Providers on the same licence count as one institution. */
export type Institution = { readonly licenceGroup: string; readonly protectionScheme: string }

export type FindInstitution = (providerSlug: string) => Institution | undefined

const sum = (rates: readonly number[]) => rates.reduce((total, rate) => total + rate, 0)

function countInstitutions(products: readonly Product[], of: FindInstitution): number {
  return new Set(products.map(({ providerSlug }) => of(providerSlug)?.licenceGroup ?? providerSlug)).size
}

/**
 * Calculates the statistics of an account type. `products` are sorted by rate, best first. Rates and shares are in basis points, and null if there are no
 * products. The average is also null if there are too few institutions to publish it.
 */
export function categoryFigures(accountType: ProductType, products: readonly Product[], of: FindInstitution) {
  const ascending = products.map(({ rateBp }) => rateBp).reverse()
  const institutionCount = countInstitutions(products, of)
  const toShare = (has: (product: Product) => boolean) => share(products.filter(has).length, products.length)
  return {
    accountType,
    productCount: products.length,
    providerCount: new Set(products.map(({ providerSlug }) => providerSlug)).size,
    institutionCount,
    minBp: ascending[0] ?? null,
    maxBp: ascending.at(-1) ?? null,
    averageBp: unlessTooFew(mean(sum(ascending), ascending.length), institutionCount),
    percentile90Bp: percentile(ascending, 90),
    newCustomersOnlyShareBp: toShare(({ newCustomersOnly }) => newCustomersOnly),
    withBonusShareBp: toShare(({ boostRateBp }) => boostRateBp > 0),
    // A scheme's name may have a suffix, such as `FSCS (demonstration provider)`, so only its beginning is compared.
    fscsShareBp: toShare(({ providerSlug }) => /^FSCS\b/.test(of(providerSlug)?.protectionScheme ?? '')),
  }
}

export type CategoryFigures = ReturnType<typeof categoryFigures>

/** Returns the average of the selected past rates, or null if there are too few institutions. */
function pastAverage(past: readonly PastRates[], isWanted: (rates: PastRates) => boolean): number | null {
  const found = past.filter(isWanted)
  const total = (of: 'sumBp' | 'count') => found.reduce((sum, rates) => sum + rates[of], 0)
  return unlessTooFew(mean(total('sumBp'), total('count')), new Set(found.flatMap(({ institutions }) => institutions)).size)
}

type Past = Pick<Movement, 'monthAgo' | 'yearAgo'>

/**
 * Calculates the averages of an account type by term, in basis points: accounts without a term first, then by ascending term. `products` are sorted by rate,
 * best first, so the first of each term is its best. An average is null if there are too few institutions.
 */
export function averageFigures(accountType: ProductType, products: readonly Product[], of: FindInstitution, { monthAgo, yearAgo }: Past) {
  const terms = Map.groupBy(products, ({ termMonths }) => termMonths)
  const hasTerms = products.some(({ termMonths }) => termMonths !== null)
  return [...terms]
    .sort(([a], [b]) => (a ?? 0) - (b ?? 0))
    .map(([termMonths, group]) => {
      const rates = group.map(({ rateBp }) => rateBp)
      // Past rates with an unknown term are included only if none of the type's current products has a term.
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

export type AverageFigures = ReturnType<typeof averageFigures>[number]

type Issued = CommonTerms & { readonly provider: string; readonly providerSlug: string | null }

const lowest = (rates: readonly number[]) => rates.reduce<number | null>((least, rate) => Math.min(least ?? rate, rate), null)
const highest = (rates: readonly number[]) => rates.reduce<number | null>((most, rate) => Math.max(most ?? rate, rate), null)

/** Returns the average APR of the cards with credit, or null if there are too few issuers. */
function averageApr(cards: readonly Issued[], of: FindInstitution): number | null {
  const credit = cards.flatMap(({ representativeAprBp, provider, providerSlug }) =>
    representativeAprBp === null ? [] : [{ aprBp: representativeAprBp, issuer: (providerSlug && of(providerSlug)?.licenceGroup) ?? provider }],
  )
  const sum = credit.reduce((total, { aprBp }) => total + aprBp, 0)
  return unlessTooFew(mean(sum, credit.length), new Set(credit.map(({ issuer }) => issuer)).size)
}

/**
 * Calculates the statistics of a card list. Rates are in basis points, and null if no card has the value. The average is also null if there are too few issuers
 * to publish it.
 */
function toFigures(category: CardList, cards: readonly Issued[], cashbackBp: readonly number[], of: FindInstitution) {
  return {
    category,
    cardCount: cards.length,
    averageRepresentativeAprBp: averageApr(cards, of),
    lowestFxFeeBp: lowest(cards.map(({ fxFeeBp }) => fxFeeBp)),
    feeFreeCount: cards.filter(({ annualFeePence }) => annualFeePence === 0).length,
    highestCashbackBp: highest(cashbackBp),
  }
}

export type CardFigures = ReturnType<typeof toFigures>

/** Returns all cashback rates of a card, including those on part of the spend; empty for points, miles and vouchers. */
const cashbackRates = ({ rewardType, earnRateHundredths, rewardTiers }: RewardCard) =>
  rewardType === 'cashback' ? [earnRateHundredths, ...rewardTiers.map(({ rateHundredths }) => rateHundredths)] : []

/** Calculates the statistics of both card lists, rewards first. */
export function cardFigures(rewardCards: readonly RewardCard[], travelCards: readonly TravelCard[], of: FindInstitution): CardFigures[] {
  const foreignRewards = travelCards.flatMap(({ foreignRewardBp }) => foreignRewardBp ?? [])
  return [toFigures('rewards', rewardCards, rewardCards.flatMap(cashbackRates), of), toFigures('travel', travelCards, foreignRewards, of)]
}

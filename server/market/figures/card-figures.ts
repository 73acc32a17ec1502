import type { CardList, CommonTerms } from '../card.ts'
import type { RewardCard } from '../reward-card.ts'
import type { TravelCard } from '../travel-card.ts'
import type { FindInstitution } from './category-figures.ts'
import { mean, unlessTooFew } from './distribution.ts'

/** Summary statistics of a card list. Rates in hundredths of a percent. Null if no card has the value, or the average is withheld. */
export type CardFigures = {
  readonly category: CardList
  readonly cardCount: number
  readonly averageRepresentativeAprBp: number | null
  readonly lowestFxFeeBp: number | null
  readonly feeFreeCount: number
  readonly highestCashbackBp: number | null
}

type Issued = CommonTerms & { readonly provider: string; readonly providerSlug: string | null }

const lowest = (rates: readonly number[]) => rates.reduce<number | null>((least, rate) => Math.min(least ?? rate, rate), null)
const highest = (rates: readonly number[]) => rates.reduce<number | null>((most, rate) => Math.max(most ?? rate, rate), null)

/** Average APR. Cards without credit have no APR and are excluded. */
function averageApr(cards: readonly Issued[], of: FindInstitution): number | null {
  const credit = cards.flatMap(({ representativeAprBp, provider, providerSlug }) =>
    representativeAprBp === null ? [] : [{ aprBp: representativeAprBp, issuer: (providerSlug && of(providerSlug)?.licenceGroup) ?? provider }],
  )
  const sum = credit.reduce((total, { aprBp }) => total + aprBp, 0)
  return unlessTooFew(mean(sum, credit.length), new Set(credit.map(({ issuer }) => issuer)).size)
}

function toFigures(category: CardList, cards: readonly Issued[], cashbackBp: readonly number[], of: FindInstitution): CardFigures {
  return {
    category,
    cardCount: cards.length,
    averageRepresentativeAprBp: averageApr(cards, of),
    lowestFxFeeBp: lowest(cards.map(({ fxFeeBp }) => fxFeeBp)),
    feeFreeCount: cards.filter(({ annualFeePence }) => annualFeePence === 0).length,
    highestCashbackBp: highest(cashbackBp),
  }
}

/** Cashback rates of a card on any part of the spend; none for points, miles and vouchers. */
const cashbackRates = ({ rewardType, earnRateHundredths, rewardTiers }: RewardCard) =>
  rewardType === 'cashback' ? [earnRateHundredths, ...rewardTiers.map(({ rateHundredths }) => rateHundredths)] : []

/** Statistics of both lists, rewards first. */
export function cardFigures(rewardCards: readonly RewardCard[], travelCards: readonly TravelCard[], of: FindInstitution): CardFigures[] {
  return [
    toFigures('rewards', rewardCards, rewardCards.flatMap(cashbackRates), of),
    toFigures(
      'travel',
      travelCards,
      travelCards.flatMap(({ foreignRewardBp }) => foreignRewardBp ?? []),
      of,
    ),
  ]
}

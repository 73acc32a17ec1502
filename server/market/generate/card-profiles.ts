import type { CardType, RewardType } from '../cards.ts'

/** Kind of reward card for the generator. All values in a list are equally likely. Rates are in basis points, money in whole pounds. */
export type RewardProfile = {
  readonly cardType: CardType
  readonly rewardType: RewardType
  /** Possible names for the points or miles; empty for cashback. */
  readonly currencyNames: readonly string[]
  /** In basis points for cashback, otherwise in hundredths of a point per pound. */
  readonly earnRates: readonly number[]
  readonly annualFees: readonly number[]
  /** Percentage of cards with a higher rate on part of the spend. */
  readonly withTiers: number
  readonly withIntro: number
  readonly withBonus: number
}

const pointNames = ['Wrenpoints', 'Larkpoints', 'Hearthpoints', 'Tallypoints']
const mileNames = ['Skylark Miles', 'Farthing Miles', 'Wayfare Miles']

const credit = { cardType: 'credit', currencyNames: [], withTiers: 0, withIntro: 0, withBonus: 0 } as const

export const rewardProfiles: Readonly<Record<string, RewardProfile>> = {
  'Cashback Credit Card': { ...credit, rewardType: 'cashback', earnRates: [50, 75, 100], annualFees: [0, 0, 25], withTiers: 50, withIntro: 50 },
  'Rewards Card': { ...credit, rewardType: 'points', currencyNames: pointNames, earnRates: [100, 100, 125, 150], annualFees: [0, 0, 24], withBonus: 70 },
  'Points Credit Card': { ...credit, rewardType: 'points', currencyNames: pointNames, earnRates: [50, 100, 100], annualFees: [0], withBonus: 50 },
  'Everyday Cashback Card': { ...credit, rewardType: 'cashback', earnRates: [25, 50], annualFees: [0], withTiers: 20, withIntro: 30 },
  'Miles Card': { ...credit, rewardType: 'airmiles', currencyNames: mileNames, earnRates: [75, 100, 150], annualFees: [0, 84, 120], withBonus: 80 },
  'Premium Rewards Card': {
    ...credit,
    rewardType: 'points',
    currencyNames: pointNames,
    earnRates: [150, 200],
    annualFees: [120, 140, 195],
    withTiers: 30,
    withBonus: 90,
  },
}

/** Kind of travel card for the generator. Rates in basis points, money in pence. */
export type TravelProfile = {
  readonly cardTypes: readonly CardType[]
  readonly fxFees: readonly number[]
  readonly atmFees: readonly (readonly [percent: number, minimumPence: number])[]
  /** Percentage of cards with a free cash withdrawal allowance. */
  readonly withFreeCash: number
  /** Percentage of cards that support only a few currencies. */
  readonly withFewCurrencies: number
}

export const travelProfiles: Readonly<Record<string, TravelProfile>> = {
  'Travel Debit Card': {
    cardTypes: ['debit'],
    fxFees: [0, 0, 100, 275],
    atmFees: [
      [0, 0],
      [0, 0],
      [150, 150],
    ],
    withFreeCash: 30,
    withFewCurrencies: 0,
  },
  'Travel Credit Card': {
    cardTypes: ['credit'],
    fxFees: [0, 0, 0, 299],
    atmFees: [
      [0, 0],
      [300, 300],
    ],
    withFreeCash: 0,
    withFewCurrencies: 0,
  },
  'Prepaid Currency Card': {
    cardTypes: ['prepaid'],
    fxFees: [0, 50, 100, 200],
    atmFees: [
      [150, 100],
      [200, 150],
    ],
    withFreeCash: 70,
    withFewCurrencies: 90,
  },
  'Abroad Card': {
    cardTypes: ['credit', 'debit'],
    fxFees: [0, 125, 295],
    atmFees: [
      [0, 0],
      [295, 300],
    ],
    withFreeCash: 20,
    withFewCurrencies: 0,
  },
  'Travel Money Card': {
    cardTypes: ['prepaid', 'debit'],
    fxFees: [0, 75, 150],
    atmFees: [
      [100, 100],
      [175, 150],
    ],
    withFreeCash: 60,
    withFewCurrencies: 60,
  },
  'Fee-Free Travel Card': { cardTypes: ['credit', 'debit'], fxFees: [0], atmFees: [[0, 0]], withFreeCash: 0, withFewCurrencies: 0 },
}

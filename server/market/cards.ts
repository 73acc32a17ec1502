import type { ListOrder } from './keyset-pager.ts'

export const cardLists = ['rewards', 'travel'] as const

export type CardList = (typeof cardLists)[number]

export const cardNetworks = ['visa', 'mastercard', 'amex'] as const

export type CardNetwork = (typeof cardNetworks)[number]

export const cardTypes = ['credit', 'charge', 'debit', 'prepaid'] as const

export type CardType = (typeof cardTypes)[number]

/** Periods for limits on rewards and allowances. */
export const spendPeriods = ['day', 'week', 'month', 'quarter', 'year'] as const

type SpendPeriod = (typeof spendPeriods)[number]

/** Payment card and the list it is on. */
export type Card = {
  readonly sourceKey: string
  readonly list: CardList
  readonly name: string
  readonly provider: string
  /** Null if the issuer isn't a provider in the rates data. */
  readonly providerSlug: string | null
  /** Path of the provider's logo on this service; null if it has none. */
  readonly logoPath: string | null
  /** Path of the card image on this service. */
  readonly imagePath: string
  /** Background of the card image, `#rrggbb`: the provider's colour; null if it has none. */
  readonly colour: string | null
  /** Null for a card imported before feeds included terms. Such a card appears only in the reference list of keys and names. */
  readonly network: CardNetwork | null
  readonly updatedAt: string
}

/** Terms common to both lists. Rates in basis points, amounts in pence. */
export type CommonTerms = {
  readonly network: CardNetwork
  readonly cardType: CardType
  readonly annualFeePence: number
  /** Null if the card offers no credit. */
  readonly representativeAprBp: number | null
  /** Fee on payments in a foreign currency; 0 means no fee. */
  readonly fxFeeBp: number
}

export const rewardTypes = ['cashback', 'points', 'airmiles', 'vouchers'] as const

export type RewardType = (typeof rewardTypes)[number]

/** Earn rate on part of the spend: basis points for cashback, otherwise hundredths of a point per pound. */
export type RewardTier = {
  readonly spendFromPence: number
  /** Null if there is no upper limit. */
  readonly spendToPence: number | null
  readonly rateHundredths: number
  /** Maximum reward per period; null if unlimited. */
  readonly capPence: number | null
  readonly period: SpendPeriod
}

export type WelcomeBonus = {
  readonly description: string
  readonly valuePence: number | null
  readonly points: number | null
  readonly spendRequiredPence: number | null
  readonly withinDays: number | null
}

export type CashAdvanceFee = { readonly percentBp: number; readonly minimumPence: number }

/** Card in the `rewards` list. Rates in basis points, amounts in pence, null means unknown or none. */
export type RewardCard = Card &
  CommonTerms & {
    readonly rewardType: RewardType
    readonly rewardCurrencyName: string | null
    readonly earnRateHundredths: number
    readonly rewardTiers: readonly RewardTier[]
    readonly introRateBp: number | null
    readonly introDurationMonths: number | null
    readonly welcomeBonus: WelcomeBonus | null
    readonly firstYearFeePence: number | null
    readonly purchaseRateBp: number | null
    readonly minCreditLimitPence: number | null
    readonly cashAdvanceFee: CashAdvanceFee | null
    readonly minAnnualIncomePence: number | null
    /** Value of the rewards on £10,000 of yearly spend, before fees. */
    readonly estimatedAnnualValuePence: number | null
    readonly representativeExample: string | null
    readonly newCustomersOnly: boolean
  }

export const exchangeRateSources = ['visa', 'mastercard', 'amex', 'interbank'] as const

export type ExchangeRateSource = (typeof exchangeRateSources)[number]

export type AtmFreeLimit = { readonly amountPence: number; readonly period: SpendPeriod }

/** Card in the `travel` list. Rates in basis points, amounts in pence, null means unknown or none. */
export type TravelCard = Card &
  CommonTerms & {
    /** Fee at weekends; null if it equals the weekday fee. */
    readonly weekendFxFeeBp: number | null
    readonly atmFeeBp: number
    readonly atmFeeMinimumPence: number
    readonly atmFreeLimit: AtmFreeLimit | null
    /** True if cash withdrawals accrue interest from the first day; null if the card offers no credit. */
    readonly cashInterestFromDay1: boolean | null
    readonly cashRateBp: number | null
    readonly exchangeRateSource: ExchangeRateSource
    /** ISO 4217 codes, or `all`. */
    readonly supportedCurrencies: readonly string[] | 'all'
    readonly foreignRewardBp: number | null
  }

export function supportsCurrency({ supportedCurrencies }: TravelCard, code: string): boolean {
  return supportedCurrencies === 'all' || supportedCurrencies.includes(code)
}

/**
 * Returns the fee in pence on a £100 payment: the weekday foreign transaction fee, or 0 for a payment in pounds. Excludes the exchange-rate margin, which is
 * unknown. On £100, a fee of 2.99% (299 basis points) is 299 pence.
 */
export function costPer100Pence({ fxFeeBp }: Pick<TravelCard, 'fxFeeBp'>, currency: string | null): number {
  return currency === 'GBP' ? 0 : fxFeeBp
}

/** Sorts travel cards by foreign transaction fee, lowest first. */
export const feeOrder: ListOrder<TravelCard, number> = {
  sortValue: ({ fxFeeBp }) => fxFeeBp,
  getKey: ({ sourceKey }) => sourceKey,
  compare: (a, b) => a - b,
}

import type { Card, CommonTerms, SpendPeriod } from './card.ts'

export const rewardTypes = ['cashback', 'points', 'airmiles', 'vouchers'] as const

export type RewardType = (typeof rewardTypes)[number]

/** Earn rate on part of the spend: hundredths of a percent for cashback, otherwise hundredths of a point per pound. */
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

/** Card in the `rewards` list. Rates in hundredths of a percent, amounts in pence, null means unknown or none. */
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
    /** Rewards on £10,000 of yearly spend, before fees. */
    readonly estimatedAnnualValuePence: number | null
    readonly representativeExample: string | null
    readonly newCustomersOnly: boolean
  }

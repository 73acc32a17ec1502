import type { Card, CommonTerms, SpendPeriod } from './card.ts'

export const rewardTypes = ['cashback', 'points', 'airmiles', 'vouchers'] as const

export type RewardType = (typeof rewardTypes)[number]

/** What is earned on a part of the spend: hundredths of a percent for cashback, hundredths of a point per pound otherwise. */
export type RewardTier = {
  readonly spendFromPence: number
  /** Null: no end. */
  readonly spendToPence: number | null
  readonly rateHundredths: number
  /** Most that is paid in a period; null without a limit. */
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

/** A card of the list `rewards`. Rates are hundredths of a percent, amounts pence, null is unknown or none. */
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
    /** Rewards on a spend of £10,000 in a year, before fees. */
    readonly estimatedAnnualValuePence: number | null
    readonly representativeExample: string | null
    readonly newCustomersOnly: boolean
  }

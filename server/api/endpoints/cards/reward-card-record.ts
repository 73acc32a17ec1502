import { z } from 'zod'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { cardTypes, type RewardCard, type RewardTier, rewardTypes, type WelcomeBonus } from '#server/market/cards.ts'
import type { Context } from '../define.ts'
import { money, orNull, percent, updatedAt } from '../providers/record-fields.ts'
import { cardFields, period, toCardFields } from './card-fields.ts'

const earned = z.string().regex(/^\d+\.\d\d$/)

const Tier = z.object({
  spendFrom: money('Spend from which the tier applies.'),
  spendTo: money('Spend up to which the tier applies; null without an upper limit.').nullable(),
  rate: earned.describe('Earn rate of the tier: percent for cashback, points per pound otherwise, two decimals.'),
  cap: money('Maximum reward per period; null if unlimited.').nullable(),
  period,
})

const Bonus = z.object({
  description: z.string().describe('Description of the bonus, in plain English.'),
  value: money('Value; null if it has no cash value.').nullable(),
  points: z.int().nullable().describe('Points or miles; null for other kinds of bonus.'),
  spendRequired: money('Required spend; null if there is none.').nullable(),
  withinDays: z.int().nullable().describe('Days to reach the required spend; null if there is no time limit.'),
})

/** Reward card in the API. */
export const RewardCardRecord = z.object({
  ...cardFields,
  cardType: z.enum(cardTypes).describe('Type of card.'),
  rewardType: z.enum(rewardTypes).describe('Type of reward.'),
  rewardCurrencyName: z.string().nullable().describe('Name of the points or miles; null for cashback.'),
  earnRate: earned.describe('Standard earn rate: percent for cashback, points per pound otherwise, two decimals.'),
  rewardTiers: z.array(Tier).describe('Tiered earn rates; empty if earnRate applies to all spend.'),
  introRate: percent('Introductory rate; null if there is none.').nullable(),
  introDurationMonths: z.int().nullable().describe('Duration of introRate in months; null without an introductory rate.'),
  welcomeBonus: Bonus.nullable().describe('One-off bonus for new cardholders; null if there is none.'),
  annualFee: money('Annual fee.'),
  firstYearFee: money('First-year fee; null if the same as annualFee.').nullable(),
  representativeApr: percent('Representative APR, variable; null for a card without credit.').nullable(),
  purchaseRate: percent('Yearly interest on purchases, variable; null for a card without credit.').nullable(),
  minCreditLimit: money('Minimum credit limit; null if unknown.').nullable(),
  fxFee: percent('Foreign transaction fee; 0.00 is free.'),
  cashAdvanceFee: z
    .object({ percent: percent('Percentage of the cash withdrawn.'), minimum: money('Minimum fee.') })
    .nullable()
    .describe('Cash advance fee; null if unknown or none.'),
  minAnnualIncome: money('Minimum yearly income; null if there is none.').nullable(),
  estimatedAnnualValue: money('Yearly rewards on £10,000 of spend, before fees; null if points have no cash value.').nullable(),
  representativeExample: z.string().nullable().describe('Representative example; null for a card without credit.'),
  newCustomersOnly: z.boolean().describe('True if only new customers can apply.'),
  updatedAt,
})

export type RewardCardRecord = z.infer<typeof RewardCardRecord>

function toTier({ spendFromPence, spendToPence, rateHundredths, capPence, period: counted }: RewardTier) {
  return { spendFrom: twoDecimals(spendFromPence), spendTo: orNull(spendToPence), rate: twoDecimals(rateHundredths), cap: orNull(capPence), period: counted }
}

function toBonus({ description, valuePence, points, spendRequiredPence, withinDays }: WelcomeBonus) {
  return { description, value: orNull(valuePence), points, spendRequired: orNull(spendRequiredPence), withinDays }
}

/** Maps a reward card to the API. */
export function toRewardCard(card: RewardCard, { publicUrl }: Context): RewardCardRecord {
  const { cashAdvanceFee } = card
  return {
    ...toCardFields(card, publicUrl),
    network: card.network,
    cardType: card.cardType,
    rewardType: card.rewardType,
    rewardCurrencyName: card.rewardCurrencyName,
    earnRate: twoDecimals(card.earnRateHundredths),
    rewardTiers: card.rewardTiers.map(toTier),
    introRate: orNull(card.introRateBp),
    introDurationMonths: card.introDurationMonths,
    welcomeBonus: card.welcomeBonus && toBonus(card.welcomeBonus),
    annualFee: twoDecimals(card.annualFeePence),
    firstYearFee: orNull(card.firstYearFeePence),
    representativeApr: orNull(card.representativeAprBp),
    purchaseRate: orNull(card.purchaseRateBp),
    minCreditLimit: orNull(card.minCreditLimitPence),
    fxFee: twoDecimals(card.fxFeeBp),
    cashAdvanceFee: cashAdvanceFee && { percent: twoDecimals(cashAdvanceFee.percentBp), minimum: twoDecimals(cashAdvanceFee.minimumPence) },
    minAnnualIncome: orNull(card.minAnnualIncomePence),
    estimatedAnnualValue: orNull(card.estimatedAnnualValuePence),
    representativeExample: card.representativeExample,
    newCustomersOnly: card.newCustomersOnly,
    updatedAt: card.updatedAt,
  }
}

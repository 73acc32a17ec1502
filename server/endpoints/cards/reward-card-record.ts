import { z } from 'zod'
import { twoDecimals } from '../../contract/formats.ts'
import { cardTypes } from '../../market/card.ts'
import { type RewardCard, type RewardTier, rewardTypes, type WelcomeBonus } from '../../market/reward-card.ts'
import type { Context } from '../define.ts'
import { money, orNull, percent, updatedAt } from '../providers/record-fields.ts'
import { cardFields, period, toCardFields } from './card-fields.ts'

const earned = z.string().regex(/^\d+\.\d\d$/)

const Tier = z.object({
  spendFrom: money('Spend from which it counts.'),
  spendTo: money('Spend up to which it counts; null without an end.').nullable(),
  rate: earned.describe('What is earned there: percent for cashback, points per pound otherwise, two decimals.'),
  cap: money('Most that is paid in a period; null without a limit.').nullable(),
  period,
})

const Bonus = z.object({
  description: z.string().describe('What is given, in plain words.'),
  value: money('Worth; null when it has no price.').nullable(),
  points: z.int().nullable().describe('Points or miles; null when it is none.'),
  spendRequired: money('Spend that it takes; null when none is asked for.').nullable(),
  withinDays: z.int().nullable().describe('Days in which to spend it; null when there is no limit.'),
})

/** A reward card as callers read it. */
export const RewardCardRecord = z.object({
  ...cardFields,
  cardType: z.enum(cardTypes).describe('Kind of card.'),
  rewardType: z.enum(rewardTypes).describe('What is earned.'),
  rewardCurrencyName: z.string().nullable().describe('Name of the points or miles; null for cashback.'),
  earnRate: earned.describe('What a pound of ordinary spend earns: percent for cashback, points per pound otherwise, two decimals.'),
  rewardTiers: z.array(Tier).describe('Other rates for parts of the spend; empty when earnRate holds for all of it.'),
  introRate: percent('Higher rate at the start; null without one.').nullable(),
  introDurationMonths: z.int().nullable().describe('Months for which introRate is paid; null without one.'),
  welcomeBonus: Bonus.nullable().describe('What new cardholders get once; null without one.'),
  annualFee: money('Fee a year.'),
  firstYearFee: money('Fee of the first year; null when it is annualFee.').nullable(),
  representativeApr: percent('Representative APR, variable; null for a card without credit.').nullable(),
  purchaseRate: percent('Interest on purchases a year, variable; null for a card without credit.').nullable(),
  minCreditLimit: money('Smallest credit limit; null when unknown.').nullable(),
  fxFee: percent('Charge on a payment in another currency; 0.00 is free.'),
  cashAdvanceFee: z
    .object({ percent: percent('Part of the cash.'), minimum: money('At least.') })
    .nullable()
    .describe('Charge on drawing cash; null when unknown or none.'),
  minAnnualIncome: money('Income a year that is asked for; null when none is.').nullable(),
  estimatedAnnualValue: money('Rewards on a spend of £10,000 in a year, before fees; null when points have no price.').nullable(),
  representativeExample: z.string().nullable().describe('The representative example; null for a card without credit.'),
  newCustomersOnly: z.boolean().describe('Whether only new customers may have it.'),
  updatedAt,
})

export type RewardCardRecord = z.infer<typeof RewardCardRecord>

function toTier({ spendFromPence, spendToPence, rateHundredths, capPence, period: counted }: RewardTier) {
  return { spendFrom: twoDecimals(spendFromPence), spendTo: orNull(spendToPence), rate: twoDecimals(rateHundredths), cap: orNull(capPence), period: counted }
}

function toBonus({ description, valuePence, points, spendRequiredPence, withinDays }: WelcomeBonus) {
  return { description, value: orNull(valuePence), points, spendRequired: orNull(spendRequiredPence), withinDays }
}

/** The read model in the words of the contract. */
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

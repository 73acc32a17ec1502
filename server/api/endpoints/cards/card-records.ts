import { z } from 'zod'
import { twoDecimals } from '#server/api/contract/formats.ts'
import {
  type Card,
  cardNetworks,
  cardTypes,
  costPer100Pence,
  exchangeRateSources,
  type RewardCard,
  type RewardTier,
  rewardTypes,
  spendPeriods,
  type TravelCard,
  type WelcomeBonus,
} from '#server/market/cards.ts'
import type { Context } from '../define.ts'
import { absolute, day, logoUrl, money, orNull, percent, toRecord, updatedAt } from '../record-fields.ts'

/** Fields that come first in the records of both card lists. */
const cardFields = {
  sourceKey: z.string().describe('Stable card ID, as in /reference/cards.'),
  name: z.string().describe('Name of the card.'),
  provider: z.string().describe('Display name of the issuer.'),
  providerSlug: z.string().nullable().describe('Slug of the issuer; null if it is not a provider in the rates data.'),
  logoUrl,
  imageUrl: z.url().nullable().describe('Absolute URL of the card image; null if there is none.'),
  network: z.enum(cardNetworks).describe('Payment network.'),
}

const period = z.enum(spendPeriods).describe('Period of the amount.')

/** Returns the URLs of a card's images. */
const toImages = ({ logoPath, imagePath }: Card, publicUrl: string) => ({ logoUrl: absolute(logoPath, publicUrl), imageUrl: publicUrl + imagePath })

const earned = z.string().regex(/^\d+\.\d\d$/)

const Tier = z.object({
  spendFrom: money('Spend from which the tier applies.'),
  spendTo: money('Maximum spend for the tier; null if there is no upper limit.').nullable(),
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

/** Schema of a reward card in API responses. */
export const RewardCardRecord = z.object({
  ...cardFields,
  cardType: z.enum(cardTypes).describe('Type of card.'),
  rewardType: z.enum(rewardTypes).describe('Type of reward.'),
  rewardCurrencyName: z.string().nullable().describe('Name of the points or miles; null for cashback.'),
  earnRate: earned.describe('Standard earn rate: percent for cashback, points per pound otherwise, two decimals.'),
  rewardTiers: z.array(Tier).describe('Tiered earn rates; empty if earnRate applies to all spend.'),
  introRate: percent('Introductory rate; null if there is none.').nullable(),
  introDurationMonths: z.int().nullable().describe('Duration of introRate in months; null if there is no introductory rate.'),
  welcomeBonus: Bonus.nullable().describe('One-off bonus for new cardholders; null if there is none.'),
  annualFee: money('Annual fee.'),
  firstYearFee: money('First-year fee; null if the same as annualFee.').nullable(),
  representativeApr: percent('Representative APR, variable; null if the card offers no credit.').nullable(),
  purchaseRate: percent('Yearly interest on purchases, variable; null if the card offers no credit.').nullable(),
  minCreditLimit: money('Minimum credit limit; null if unknown.').nullable(),
  fxFee: percent('Foreign transaction fee; 0.00 if free.'),
  cashAdvanceFee: z
    .object({ percent: percent('Percentage of the cash withdrawn.'), minimum: money('Minimum fee.') })
    .nullable()
    .describe('Cash advance fee; null if unknown or none.'),
  minAnnualIncome: money('Minimum yearly income; null if there is none.').nullable(),
  estimatedAnnualValue: money('Yearly rewards on £10,000 of spend, before fees; null if points have no cash value.').nullable(),
  representativeExample: z.string().nullable().describe('Representative example; null if the card offers no credit.'),
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

/** Converts a reward card to its API record. */
export function toRewardCard(card: RewardCard, { publicUrl }: Context): RewardCardRecord {
  const { cashAdvanceFee } = card
  return toRecord(RewardCardRecord, {
    ...card,
    ...toImages(card, publicUrl),
    earnRate: twoDecimals(card.earnRateHundredths),
    rewardTiers: card.rewardTiers.map(toTier),
    introRate: orNull(card.introRateBp),
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
  })
}

/** Schema of a travel card in API responses. */
export const TravelCardRecord = z.object({
  ...cardFields,
  cardType: z.enum(['credit', 'debit', 'prepaid']).describe('Type of card.'),
  fxFee: percent('Foreign transaction fee; 0.00 if free.'),
  weekendFxFee: percent('Foreign transaction fee at weekends; null if the same as on weekdays.').nullable(),
  atmFeePercent: percent('Cash withdrawal fee abroad; 0.00 if free.'),
  atmFeeMinimum: money('Minimum cash withdrawal fee.'),
  atmFreeLimit: z
    .object({ amount: money('Cash withdrawal amount without a fee.'), period })
    .nullable()
    .describe('Free cash withdrawal allowance; null if there is none.'),
  cashInterestFromDay1: z.boolean().nullable().describe('True if cash withdrawals accrue interest from day one; null if the card offers no credit.'),
  cashRate: percent('Yearly interest on cash withdrawals; null if the card offers no credit.').nullable(),
  representativeApr: percent('Representative APR, variable; null if the card offers no credit.').nullable(),
  annualFee: money('Annual fee.'),
  exchangeRateSource: z.enum(exchangeRateSources).describe('Source of the exchange rate.'),
  currency: z.string().nullable().describe('Requested currency, ISO 4217; null if none was requested.'),
  indicativeRate: z
    .string()
    .regex(/^\d+(?:\.\d+)?$/)
    .nullable()
    .describe(
      "Units of the requested currency per pound, mid-market rate rather than the card's rate; null if no currency was requested or the rate is unknown.",
    ),
  indicativeRateDate: day('Date of indicativeRate; null if there is none.').nullable(),
  costPer100: money('Fees on a £100 payment in the requested currency on a weekday: 2.99 means that £102.99 leaves the account.'),
  supportedCurrencies: z.union([z.literal('all'), z.array(z.string())]).describe('Supported currencies, ISO 4217, or "all".'),
  rewardOnForeignSpend: percent('Cashback on foreign spend; null if there is none.').nullable(),
  updatedAt,
})

export type TravelCardRecord = z.infer<typeof TravelCardRecord>

/** Requested currency and its latest exchange rate; null where there is none. */
export type AskedCurrency = { readonly currency: string | null; readonly indicativeRate: string | null; readonly indicativeRateDate: string | null }

/** Converts a travel card to its API record. */
export function toTravelCard(card: TravelCard, asked: AskedCurrency, { publicUrl }: Context): TravelCardRecord {
  const { atmFreeLimit, supportedCurrencies, cardType } = card
  return toRecord(TravelCardRecord, {
    ...card,
    ...toImages(card, publicUrl),
    // Only narrows the type: the feed import rejects charge cards in the travel list.
    cardType: cardType === 'charge' ? 'credit' : cardType,
    fxFee: twoDecimals(card.fxFeeBp),
    weekendFxFee: orNull(card.weekendFxFeeBp),
    atmFeePercent: twoDecimals(card.atmFeeBp),
    atmFeeMinimum: twoDecimals(card.atmFeeMinimumPence),
    atmFreeLimit: atmFreeLimit && { amount: twoDecimals(atmFreeLimit.amountPence), period: atmFreeLimit.period },
    cashRate: orNull(card.cashRateBp),
    representativeApr: orNull(card.representativeAprBp),
    annualFee: twoDecimals(card.annualFeePence),
    ...asked,
    costPer100: twoDecimals(costPer100Pence(card, asked.currency)),
    supportedCurrencies: supportedCurrencies === 'all' ? 'all' : [...supportedCurrencies],
    rewardOnForeignSpend: orNull(card.foreignRewardBp),
  })
}

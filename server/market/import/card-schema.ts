import { z } from 'zod'
import { suggestion } from '../../contract/nearest.ts'
import { cardLists, cardNetworks, cardTypes, spendPeriods } from '../card.ts'
import { currencies } from '../reference/currencies.ts'
import { rewardTypes } from '../reward-card.ts'
import { exchangeRateSources } from '../travel-card.ts'
import { codes, decimal, enumOf, flag, kind, nested, optional, or, pounds, providerSlug, rate, sourceKey, text, whole } from './feed-fields.ts'

const known: ReadonlySet<string> = new Set(currencies.map(({ code }) => code))

const currencyCode = z.string().superRefine((code, context) => {
  if (known.has(code)) return
  context.addIssue({ code: 'custom', message: `must be a code of /reference/currencies, but is "${code.slice(0, 20)}".${suggestion(code, known)}` })
})

/** Percent of cashback, or points per pound. */
const earnRate = () => decimal('a number from 0 to 1000 with at most two decimals, such as 1.00', 1000)

const rewardTier = z
  .strictObject({
    spendFrom: optional(pounds()).describe('Spend from which the tier counts, pounds. Left out: from the first pound.'),
    spendTo: optional(pounds()).describe('Spend up to which it counts, pounds. Left out: no end.'),
    rate: earnRate().describe('What is earned: percent, or points per pound.'),
    cap: optional(pounds()).describe('Most that is paid in a period, pounds. Left out: no limit.'),
    period: enumOf(spendPeriods).describe('What spend and limit are counted over.'),
  })
  .transform(({ spendFrom, spendTo, rate: earned, cap, period }) => ({
    spendFromPence: spendFrom ?? 0,
    spendToPence: spendTo,
    rateHundredths: earned,
    capPence: cap,
    period,
  }))

const welcomeBonus = z
  .strictObject({
    description: text(300).describe('What is given, one sentence.'),
    value: optional(pounds()).describe('Worth in pounds.'),
    points: optional(whole(1, 10_000_000)).describe('Points or miles.'),
    spendRequired: optional(pounds()).describe('Spend that it takes, pounds.'),
    withinDays: optional(whole(1, 3650)).describe('Days in which to spend it.'),
  })
  .transform(({ description, value, points, spendRequired, withinDays }) => ({
    description,
    valuePence: value,
    points,
    spendRequiredPence: spendRequired,
    withinDays,
  }))

const cashAdvanceFee = z
  .strictObject({ percent: rate().describe('Percent of the cash.'), minimum: pounds().describe('At least, pounds.') })
  .transform(({ percent, minimum }) => ({ percentBp: percent, minimumPence: minimum }))

const atmFreeLimit = z
  .strictObject({ amount: pounds().describe('Cash without a charge, pounds.'), period: enumOf(spendPeriods).describe('Counted over.') })
  .transform(({ amount, period }) => ({ amountPence: amount, period }))

const apr = () => rate(1000)

const common = {
  network: enumOf(cardNetworks).describe('Payment network.'),
  cardType: enumOf(cardTypes).describe('Kind of card; a travel card is no charge card.'),
  annualFee: optional(pounds())
    .transform((value) => value ?? 0)
    .describe('Fee a year, pounds. Left out: none.'),
  representativeApr: optional(apr()).describe('Representative APR, percent. Needed for a credit card.'),
  fxFee: rate().describe('Charge on a payment in another currency, percent; 0.00 is free.'),
}

/** Fields of the list `rewards` alone. */
const rewards = {
  rewardType: optional(enumOf(rewardTypes)).describe('Rewards only, needed: what is earned.'),
  rewardCurrencyName: optional(text(60)).describe('Rewards only: name of the points or miles.'),
  earnRate: optional(earnRate()).describe('Rewards only, needed: what a pound of ordinary spend earns, percent for cashback, points per pound otherwise.'),
  rewardTiers: optional(nested(z.array(rewardTier).max(20, 'must hold at most 20 tiers'))).describe('Rewards only: other rates for parts of the spend.'),
  introRate: optional(rate()).describe('Rewards only: higher rate at the start, percent.'),
  introDurationMonths: optional(whole(1, 120)).describe('Rewards only: months for which it is paid. Needed with introRate.'),
  welcomeBonus: optional(nested(welcomeBonus)).describe('Rewards only: what new cardholders get once.'),
  firstYearFee: optional(pounds()).describe('Rewards only: fee of the first year where it differs, pounds.'),
  purchaseRate: optional(apr()).describe('Rewards only, needed for a credit card: interest on purchases a year, percent.'),
  minCreditLimit: optional(pounds()).describe('Rewards only: smallest credit limit, pounds.'),
  cashAdvanceFee: optional(nested(cashAdvanceFee)).describe('Rewards only: charge on drawing cash.'),
  minAnnualIncome: optional(pounds()).describe('Rewards only: income that is asked for, pounds a year.'),
  estimatedAnnualValue: optional(pounds()).describe('Rewards only: rewards on a spend of £10,000 in a year, before fees, pounds.'),
  representativeExample: optional(text(600)).describe('Rewards only, needed for a credit card: the representative example.'),
  newCustomersOnly: or(flag, false).describe('Rewards only: whether only new customers may have it. Left out: false.'),
}

/** Fields of the list `travel` alone. */
const travel = {
  weekendFxFee: optional(rate()).describe('Travel only: charge on other currencies at weekends where it differs, percent.'),
  atmFeePercent: optional(rate()).describe('Travel only, needed: charge on drawing cash abroad, percent; 0.00 is free.'),
  atmFeeMinimum: optional(pounds()).describe('Travel only, needed: at least, pounds.'),
  atmFreeLimit: optional(nested(atmFreeLimit)).describe('Travel only: cash that can be drawn without that charge.'),
  cashInterestFromDay1: optional(flag).describe('Travel only, needed for a credit card and only there: whether cash costs interest from the first day.'),
  cashRate: optional(apr()).describe('Travel only: interest on cash a year, percent.'),
  exchangeRateSource: optional(enumOf(exchangeRateSources)).describe('Travel only, needed: whose exchange rate is used.'),
  supportedCurrencies: optional(codes(currencyCode)).describe('Travel only, needed: codes of /reference/currencies, or "all".'),
  rewardOnForeignSpend: optional(rate()).describe('Travel only: cashback on payments in other currencies, percent.'),
}

/** Names of the fields that belong to one list alone, those with a fallback apart. */
export const listFields = {
  rewards: Object.keys(rewards).filter((name) => name !== 'newCustomersOnly'),
  travel: Object.keys(travel),
} as const satisfies Record<(typeof cardLists)[number], readonly string[]>

/** One line of a card feed: what both lists have, then what belongs to one of them. Rules that join fields stand in `feed-rules.ts`. */
export const cardSchema = z.strictObject({
  kind: kind('card'),
  sourceKey: sourceKey.describe('Stable id of the card.'),
  list: enumOf(cardLists).describe('The list that carries the card.'),
  name: text(200).describe('Name of the card.'),
  provider: text(120).describe('Display name of the issuer.'),
  providerSlug: optional(providerSlug).describe('Slug of the issuer, when it is a provider of the same dataset.'),
  ...common,
  ...rewards,
  ...travel,
})

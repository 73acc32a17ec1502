import { z } from 'zod'
import { suggestion } from '#server/api/contract/nearest.ts'
import { cardLists, cardNetworks, cardTypes, exchangeRateSources, rewardTypes, spendPeriods } from '../cards.ts'
import { currencies } from '../reference/currencies.ts'
import { codes, decimal, flag, kind, nested, oneOf, optional, or, pounds, providerSlug, rate, sourceKey, text, whole } from './feed-fields.ts'

const known: ReadonlySet<string> = new Set(currencies.map(({ code }) => code))

const currencyCode = z.string().superRefine((code, context) => {
  if (known.has(code)) return
  context.addIssue({ code: 'custom', message: `must be a code from /reference/currencies, but is "${code.slice(0, 20)}".${suggestion(code, known)}` })
})

/** Earn rate: percent for cashback, otherwise points per pound. */
const earnRate = () => decimal('a number from 0 to 1000 with at most two decimals, such as 1.00', 1000)

const rewardTier = z
  .strictObject({
    spendFrom: optional(pounds()).describe('Spend from which the tier applies, in pounds. Defaults to 0.'),
    spendTo: optional(pounds()).describe('Maximum spend for the tier, in pounds. Omit if there is no upper limit.'),
    rate: earnRate().describe('Earn rate: a percentage for cashback, otherwise points per pound.'),
    cap: optional(pounds()).describe("Maximum reward per period in pounds. Omit if there's no limit."),
    period: oneOf(spendPeriods).describe('Period for the spend and the cap.'),
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
    description: text(300).describe('Description of the bonus in one sentence.'),
    value: optional(pounds()).describe('Value in pounds.'),
    points: optional(whole(1, 10_000_000)).describe('Points or miles.'),
    spendRequired: optional(pounds()).describe('Required spend in pounds.'),
    withinDays: optional(whole(1, 3650)).describe('Days to reach the required spend.'),
  })
  .transform(({ description, value, points, spendRequired, withinDays }) => ({
    description,
    valuePence: value,
    points,
    spendRequiredPence: spendRequired,
    withinDays,
  }))

const cashAdvanceFee = z
  .strictObject({ percent: rate().describe('Percentage of the cash withdrawn.'), minimum: pounds().describe('Minimum fee in pounds.') })
  .transform(({ percent, minimum }) => ({ percentBp: percent, minimumPence: minimum }))

const atmFreeLimit = z
  .strictObject({ amount: pounds().describe('Free cash withdrawal amount in pounds.'), period: oneOf(spendPeriods).describe('Period of the limit.') })
  .transform(({ amount, period }) => ({ amountPence: amount, period }))

const apr = () => rate(1000)

const common = {
  network: oneOf(cardNetworks).describe('Payment network.'),
  cardType: oneOf(cardTypes).describe('Type of card. Travel cards cannot be charge cards.'),
  annualFee: optional(pounds())
    .transform((value) => value ?? 0)
    .describe("Annual fee in pounds. Omit if there's none."),
  representativeApr: optional(apr()).describe('Representative APR in percent. Required for credit cards.'),
  fxFee: rate().describe('Foreign transaction fee in percent; 0.00 means no fee.'),
}

/** Fields of the `rewards` list only. */
const rewards = {
  rewardType: optional(oneOf(rewardTypes)).describe('Rewards only, required: type of reward.'),
  rewardCurrencyName: optional(text(60)).describe('Rewards only: name of the points or miles.'),
  earnRate: optional(earnRate()).describe('Rewards only, required: standard earn rate, as a percentage for cashback or in points per pound.'),
  rewardTiers: optional(nested(z.array(rewardTier).max(20, 'must have at most 20 tiers'))).describe('Rewards only: tiered earn rates.'),
  introRate: optional(rate()).describe('Rewards only: introductory rate in percent.'),
  introDurationMonths: optional(whole(1, 120)).describe('Rewards only: duration of the introductory rate in months. Required with introRate.'),
  welcomeBonus: optional(nested(welcomeBonus)).describe('Rewards only: one-off bonus for new cardholders.'),
  firstYearFee: optional(pounds()).describe('Rewards only: fee for the first year in pounds, if different.'),
  purchaseRate: optional(apr()).describe('Rewards only, required for credit cards: yearly interest on purchases in percent.'),
  minCreditLimit: optional(pounds()).describe('Rewards only: minimum credit limit in pounds.'),
  cashAdvanceFee: optional(nested(cashAdvanceFee)).describe('Rewards only: cash advance fee.'),
  minAnnualIncome: optional(pounds()).describe('Rewards only: minimum income in pounds per year.'),
  estimatedAnnualValue: optional(pounds()).describe('Rewards only: yearly rewards in pounds on £10,000 of spend, before fees.'),
  representativeExample: optional(text(600)).describe('Rewards only, required for credit cards: representative example.'),
  newCustomersOnly: or(flag, false).describe('Rewards only: true if only new customers can apply. Defaults to false.'),
}

/** Fields of the `travel` list only. */
const travel = {
  weekendFxFee: optional(rate()).describe('Travel only: foreign transaction fee at weekends in percent, if different.'),
  atmFeePercent: optional(rate()).describe('Travel only, required: cash withdrawal fee abroad in percent; 0.00 means no fee.'),
  atmFeeMinimum: optional(pounds()).describe('Travel only, required: minimum withdrawal fee in pounds.'),
  atmFreeLimit: optional(nested(atmFreeLimit)).describe('Travel only: free cash withdrawal allowance.'),
  cashInterestFromDay1: optional(flag).describe(
    'Travel only, required for credit cards and not allowed otherwise: true if cash withdrawals accrue interest from day one.',
  ),
  cashRate: optional(apr()).describe('Travel only: yearly interest on cash withdrawals in percent.'),
  exchangeRateSource: optional(oneOf(exchangeRateSources)).describe('Travel only, required: source of the exchange rate.'),
  supportedCurrencies: optional(codes(currencyCode)).describe('Travel only, required: codes from /reference/currencies, or "all".'),
  rewardOnForeignSpend: optional(rate()).describe('Travel only: cashback on foreign spend in percent.'),
}

/** Names of the list-specific fields, except those with a default. */
export const listFields = {
  rewards: Object.keys(rewards).filter((name) => name !== 'newCustomersOnly'),
  travel: Object.keys(travel),
} as const satisfies Record<(typeof cardLists)[number], readonly string[]>

/** Record of a card feed: fields common to both lists, then list-specific fields. Cross-field rules are in `feed-rules.ts`. */
export const cardSchema = z.strictObject({
  kind: kind('card'),
  sourceKey: sourceKey.describe('Stable ID of the card.'),
  list: oneOf(cardLists).describe('List that the card is on.'),
  name: text(200).describe('Name of the card.'),
  provider: text(120).describe('Display name of the issuer.'),
  providerSlug: optional(providerSlug).describe('Slug of the issuer, if it is a provider in the same dataset.'),
  ...common,
  ...rewards,
  ...travel,
})

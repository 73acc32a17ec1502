import { z } from 'zod'
import { accountKinds, bonusTypes, currentAccountTypes, payInFrequencies } from '../offers.ts'
import { day, flag, kind, list, oneOf, optional, or, pounds, providerSlug, rate, sourceKey, text, url, whole } from './feed-fields.ts'

const fee = optional(pounds())
  .transform((value) => value ?? 0)
  .describe("Monthly account fee in pounds. Omit if there's none.")

const count = optional(whole(0, 1000)).transform((value) => value ?? 0)
const days = () => optional(whole(1, 3650))
const sentences = () => list(text(300), 20)

const issuer = {
  offerKey: sourceKey.describe('Stable ID of the offer. Never changes.'),
  provider: text(120).describe('Display name of the provider.'),
  providerSlug: optional(providerSlug).describe('Slug of the provider, if it is in the same dataset.'),
  accountName: text(200).describe('Name of the account.'),
}

const validity = {
  startDate: day.describe('First day of the offer, ISO 8601.'),
  endDate: optional(day).describe("Last day of the offer, ISO 8601. Omit if there's no end date."),
  newCustomersOnly: or(flag, false).describe('True if only new customers are eligible. Defaults to false.'),
  termsUrl: url.describe('URL of the terms.'),
  note: optional(text(300)).describe('General statement about the offer in plain English. Optional.'),
}

/** Record of a switch offer feed. The status (live, ending soon) is derived from the last day. */
export const switchOfferSchema = z.strictObject({
  kind: kind('switch_offer'),
  ...issuer,
  accountKind: oneOf(accountKinds).describe('Type of account holder.'),
  bonusAmount: pounds().describe('Switching bonus in pounds.'),
  bonusType: oneOf(bonusTypes).describe('Form of the bonus.'),
  totalValue: optional(pounds()).describe("Total value of the bonus and the first year's extras, in pounds."),
  extraBenefits: sentences().describe('Extras, each in one sentence. In CSV, separate them with "|".'),
  minPayIn: optional(pounds()).describe('Minimum pay-in in pounds.'),
  payInWithinDays: days().describe('Days to make the pay-in.'),
  payInFrequency: optional(oneOf(payInFrequencies)).describe('Frequency of the pay-in.'),
  minDirectDebits: count.describe('Minimum number of active direct debits. Defaults to 0.'),
  directDebitsMustTransfer: or(flag, false).describe('True if the direct debits must transfer with the switch. Defaults to false.'),
  minCardPayments: count.describe('Minimum number of card payments. Defaults to 0.'),
  cardPaymentsWithinDays: days().describe('Days to make the card payments.'),
  digitalLoginRequired: or(flag, false).describe('True if customers must log in online or in the app. Defaults to false.'),
  monthlyFee: fee,
  minAnnualIncome: optional(pounds()).describe('Minimum income in pounds per year.'),
  switchWithinDays: days().describe('Days to complete the switch.'),
  fullSwitchRequired: or(flag, false).describe('True if a full switch is required, which closes the old account. Defaults to false.'),
  cassParticipant: or(flag, false).describe('True if the switch uses the Current Account Switch Service. Defaults to false.'),
  payoutWithinDays: days().describe('Days until the bonus is paid after the conditions are met.'),
  excludedIfHeldSince: optional(day).describe('Customers who held an account with the provider on or after this date are excluded.'),
  previousBonusExcluded: or(flag, false).describe('True if customers who had an earlier bonus are excluded. Defaults to false.'),
  previousBonusSince: optional(day).describe('Only bonuses received on or after this date make customers ineligible. Omit if any earlier bonus does.'),
  eligibility: sentences().describe('Eligibility conditions, in plain English. In CSV, separate them with "|".'),
  exclusions: sentences().describe('Exclusions, in plain English. In CSV, separate them with "|".'),
  ...validity,
})

/** Record of an account offer feed. */
export const accountOfferSchema = z.strictObject({
  kind: kind('account_offer'),
  ...issuer,
  accountType: oneOf(currentAccountTypes).describe('Type of current account.'),
  headline: text(200).describe('Summary of the offer in one line.'),
  creditInterestRate: optional(rate()).describe('Interest on a credit balance, AER in percent.'),
  creditInterestMaxBalance: optional(pounds()).describe('Maximum balance in pounds that earns interest.'),
  cashbackRate: optional(rate()).describe('Cashback in percent.'),
  cashbackCategories: list(text(80), 20).describe('Spending categories that earn cashback. In CSV, separate them with "|".'),
  cashbackCap: optional(pounds()).describe('Maximum cashback per month in pounds.'),
  monthlyFee: fee,
  overdraftRate: optional(rate(1000)).describe('Interest on an arranged overdraft, EAR in percent.'),
  overdraftInterestFreeAmount: optional(pounds()).describe('Interest-free overdraft in pounds.'),
  introductoryPeriod: optional(text(80)).describe('Duration of the introductory terms, such as "12 months".'),
  minPayIn: optional(pounds()).describe('Minimum monthly pay-in in pounds.'),
  minDirectDebits: optional(whole(0, 1000)).describe('Minimum number of active direct debits.'),
  linkedSaverRate: optional(rate()).describe('Rate of a linked savings account available only to account holders, AER in percent.'),
  ...validity,
})

import { z } from 'zod'
import { currentAccountTypes } from '../account-offer.ts'
import { accountKinds, bonusTypes, payInFrequencies } from '../switch-offer.ts'
import { day, enumOf, flag, kind, list, optional, or, pounds, providerSlug, rate, sourceKey, text, url, whole } from './feed-fields.ts'

const fee = optional(pounds())
  .transform((value) => value ?? 0)
  .describe('Fee of the account a month, pounds. Left out: none.')

const count = optional(whole(0, 1000)).transform((value) => value ?? 0)
const days = () => optional(whole(1, 3650))
const sentences = () => list(text(300), 20)

const issuer = {
  offerKey: sourceKey.describe('Stable id of the offer; it outlives every change.'),
  provider: text(120).describe('Display name of the provider.'),
  providerSlug: optional(providerSlug).describe('Slug of the provider, when it is one of the same dataset.'),
  accountName: text(200).describe('Name of the account.'),
}

const validity = {
  startDate: day.describe('First day of the offer, ISO 8601.'),
  endDate: optional(day).describe('Last day of the offer, ISO 8601. Left out: until further notice.'),
  newCustomersOnly: or(flag, false).describe('Whether only new customers may take it. Left out: false.'),
  termsUrl: url.describe('Address of the terms.'),
}

/** One line of a feed of switch offers. Whether an offer is live or ending soon follows from its last day. */
export const switchOfferSchema = z.strictObject({
  kind: kind('switch_offer'),
  ...issuer,
  accountKind: enumOf(accountKinds).describe('Who the account is for.'),
  bonusAmount: pounds().describe('What is paid for the switch, pounds.'),
  bonusType: enumOf(bonusTypes).describe('In what form.'),
  totalValue: optional(pounds()).describe('Bonus and the extras of the first year together, pounds.'),
  extraBenefits: sentences().describe('What comes with it, each a sentence. In CSV with "|" between.'),
  minPayIn: optional(pounds()).describe('What has to be paid in, pounds.'),
  payInWithinDays: days().describe('Days in which to pay it in.'),
  payInFrequency: optional(enumOf(payInFrequencies)).describe('Whether to pay it in once or each month.'),
  minDirectDebits: count.describe('Direct debits that have to be active. Left out: none.'),
  directDebitsMustTransfer: or(flag, false).describe('Whether they have to come over in the switch. Left out: false.'),
  minCardPayments: count.describe('Card payments that have to be made. Left out: none.'),
  cardPaymentsWithinDays: days().describe('Days in which to make them.'),
  digitalLoginRequired: or(flag, false).describe('Whether one has to log in online or in the app. Left out: false.'),
  monthlyFee: fee,
  minAnnualIncome: optional(pounds()).describe('Income that is asked for, pounds a year.'),
  switchWithinDays: days().describe('Days in which the switch has to be complete.'),
  fullSwitchRequired: or(flag, false).describe('Whether it has to be a full switch, which closes the old account. Left out: false.'),
  cassParticipant: or(flag, false).describe('Whether the switch goes through the Current Account Switch Service. Left out: false.'),
  payoutWithinDays: days().describe('Days in which the bonus is paid once the conditions are met.'),
  excludedIfHeldSince: optional(day).describe('Whoever held an account there on or after this day is excluded.'),
  previousBonusExcluded: or(flag, false).describe('Whether an earlier bonus excludes. Left out: false.'),
  previousBonusSince: optional(day).describe('Only bonuses on or after this day exclude. Left out: any.'),
  eligibility: sentences().describe('Who can have it, in plain words. In CSV with "|" between.'),
  exclusions: sentences().describe('Who cannot, in plain words. In CSV with "|" between.'),
  ...validity,
})

/** One line of a feed of account offers. */
export const accountOfferSchema = z.strictObject({
  kind: kind('account_offer'),
  ...issuer,
  accountType: enumOf(currentAccountTypes).describe('Kind of current account.'),
  headline: text(200).describe('The offer in one line.'),
  creditInterestRate: optional(rate()).describe('Interest on a credit balance, AER in percent.'),
  creditInterestMaxBalance: optional(pounds()).describe('Balance up to which it is paid, pounds.'),
  cashbackRate: optional(rate()).describe('Cashback, percent.'),
  cashbackCategories: list(text(80), 20).describe('What it is paid on. In CSV with "|" between.'),
  cashbackCap: optional(pounds()).describe('Most cashback in a month, pounds.'),
  monthlyFee: fee,
  overdraftRate: optional(rate(1000)).describe('Interest on an arranged overdraft, EAR in percent.'),
  overdraftInterestFreeAmount: optional(pounds()).describe('Overdraft without interest, pounds.'),
  introductoryPeriod: optional(text(80)).describe('How long the introductory terms last, like "12 months".'),
  minPayIn: optional(pounds()).describe('What has to be paid in each month, pounds.'),
  minDirectDebits: optional(whole(0, 1000)).describe('Direct debits that have to be active.'),
  linkedSaverRate: optional(rate()).describe('Rate of a saver that only holders of the account can open, AER in percent.'),
  ...validity,
})

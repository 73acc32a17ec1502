import { z } from 'zod'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { type AccountOffer, accountKinds, bonusTypes, offerStatus, offerStatuses, payInFrequencies, type SwitchOffer } from '#server/market/offers.ts'
import type { Context } from '../define.ts'
import { absolute, day, logoUrl, money, orNull, percent, toRecord, updatedAt, withdrawnAt } from '../record-fields.ts'

const days = (meaning: string) => z.int().nullable().describe(`${meaning} In days; null if there is none.`)

const note = z.string().nullable().describe('General note about the offer, for example that it is fictional; null if there is none.')

/** Fields that come first in the records of both lists. */
const offerFields = {
  offerKey: z.string().describe('Stable ID of the offer.'),
  provider: z.string().describe('Display name of the provider.'),
  providerSlug: z.string().nullable().describe('Slug of the provider; null if it is not in the rates data.'),
  logoUrl,
  accountName: z.string().describe('Name of the account.'),
}

/** Schema of a switch offer in API responses and in the `switch_offer.changed` event. */
export const SwitchOfferRecord = z.object({
  ...offerFields,
  accountKind: z.enum(accountKinds).describe('Type of account holder.'),
  bonusAmount: money('Bonus for switching.'),
  bonusType: z.enum(bonusTypes).describe('Form of the bonus.'),
  totalValue: money("Total value of the bonus and the first year's extras; null if the extras have no cash value.").nullable(),
  extraBenefits: z.array(z.string()).describe('Extras, in plain English.'),
  minPayIn: money('Minimum pay-in; null if there is none.').nullable(),
  payInWithinDays: days('Time limit for the pay-in.'),
  payInFrequency: z.enum(payInFrequencies).nullable().describe('Frequency of the pay-in; null if there is none.'),
  minDirectDebits: z.int().describe('Minimum number of active direct debits.'),
  directDebitsMustTransfer: z.boolean().describe('True if the direct debits must transfer with the switch.'),
  minCardPayments: z.int().describe('Minimum number of card payments.'),
  cardPaymentsWithinDays: days('Time limit for the card payments.'),
  digitalLoginRequired: z.boolean().describe('True if customers must log in online or in the app.'),
  monthlyFee: money('Monthly account fee.'),
  minAnnualIncome: money('Minimum yearly income; null if there is none.').nullable(),
  switchWithinDays: days('Time limit for completing the switch.'),
  fullSwitchRequired: z.boolean().describe('True if a full switch is required, which closes the old account.'),
  cassParticipant: z.boolean().describe('True if the switch uses the Current Account Switch Service.'),
  payoutWithinDays: days('Time until the bonus is paid after the conditions are met.'),
  startDate: day('First day of the offer; in the future for an announced offer.'),
  endDate: day('Last day of the offer; null if it has no end date.').nullable(),
  newCustomersOnly: z.boolean().describe('True if only new customers are eligible.'),
  excludedIfHeldSince: day('Customers who held an account with the provider on or after this date are excluded; null if there is no such rule.').nullable(),
  previousBonusExcluded: z.boolean().describe('True if customers who had an earlier switching bonus are excluded.'),
  previousBonusSince: day('Only bonuses received on or after this date make customers ineligible; null if any earlier bonus does.').nullable(),
  eligibility: z.array(z.string()).describe('Eligibility conditions, in plain English.'),
  exclusions: z.array(z.string()).describe('Exclusions, in plain English.'),
  termsUrl: z.url().describe("URL of the offer's terms."),
  note,
  status: z.enum(offerStatuses).describe('Status of the offer today (UK time); `ending-soon` in its last 14 days.'),
  updatedAt,
  withdrawnAt,
})

export type SwitchOfferRecord = z.infer<typeof SwitchOfferRecord>

/** Converts a switch offer to its API record, with its status on the day `today`. */
export function toSwitchOffer(offer: SwitchOffer, today: string, { publicUrl }: Pick<Context, 'publicUrl'>): SwitchOfferRecord {
  return toRecord(SwitchOfferRecord, {
    ...offer,
    logoUrl: absolute(offer.logoPath, publicUrl),
    bonusAmount: twoDecimals(offer.bonusPence),
    totalValue: orNull(offer.totalValuePence),
    minPayIn: orNull(offer.minPayInPence),
    monthlyFee: twoDecimals(offer.monthlyFeePence),
    minAnnualIncome: orNull(offer.minAnnualIncomePence),
    status: offer.withdrawnAt === undefined ? offerStatus(offer.endDate, today) : 'ended',
    withdrawnAt: offer.withdrawnAt ?? null,
  })
}

/** Schema of an account offer in API responses. */
export const AccountOfferRecord = z.object({
  ...offerFields,
  accountType: z.string().describe('Account type: current-account, packaged, premium, student, graduate, children or basic.'),
  headline: z.string().describe('One-line summary of the offer.'),
  creditInterestRate: percent('Interest on a credit balance, AER; null if none is paid.').nullable(),
  creditInterestMaxBalance: money('Maximum balance that earns interest; null if unlimited.').nullable(),
  cashbackRate: percent('Cashback rate; null if none is paid.').nullable(),
  cashbackCategories: z.array(z.string()).describe('Spending categories that earn cashback.'),
  cashbackCap: money('Maximum cashback per month; null if unlimited.').nullable(),
  monthlyFee: money('Monthly account fee.'),
  overdraftRate: percent('Interest on an arranged overdraft, EAR; null if unknown or none.').nullable(),
  overdraftInterestFreeAmount: money('Interest-free overdraft; null if there is none.').nullable(),
  introductoryPeriod: z.string().nullable().describe('Duration of the introductory terms, such as "12 months"; null if they are permanent.'),
  minPayIn: money('Minimum monthly pay-in; null if there is none.').nullable(),
  minDirectDebits: z.int().nullable().describe('Minimum number of active direct debits; null if there is none.'),
  linkedSaverRate: percent('Rate of a linked savings account available only to account holders, AER; null if there is none.').nullable(),
  startDate: day('First day of the offer.'),
  endDate: day('Last day of the offer; null if it has no end date.').nullable(),
  newCustomersOnly: z.boolean().describe('True if only new customers are eligible.'),
  termsUrl: z.url().describe("URL of the offer's terms."),
  note,
  updatedAt,
})

export type AccountOfferRecord = z.infer<typeof AccountOfferRecord>

/** Converts an account offer to its API record. */
export function toAccountOffer(offer: AccountOffer, { publicUrl }: Context): AccountOfferRecord {
  return toRecord(AccountOfferRecord, {
    ...offer,
    logoUrl: absolute(offer.logoPath, publicUrl),
    creditInterestRate: orNull(offer.creditInterestBp),
    creditInterestMaxBalance: orNull(offer.creditInterestMaxBalancePence),
    cashbackRate: orNull(offer.cashbackBp),
    cashbackCap: orNull(offer.cashbackCapPence),
    monthlyFee: twoDecimals(offer.monthlyFeePence),
    overdraftRate: orNull(offer.overdraftBp),
    overdraftInterestFreeAmount: orNull(offer.overdraftInterestFreePence),
    minPayIn: orNull(offer.minPayInPence),
    linkedSaverRate: orNull(offer.linkedSaverBp),
  })
}

import { z } from 'zod'
import { twoDecimals } from '#server/api/contract/formats.ts'
import type { AccountOffer } from '#server/market/offers.ts'
import type { Context } from '../define.ts'
import { absolute, day, logoUrl, money, orNull, percent, updatedAt } from '../providers/record-fields.ts'

/** Account offer in the API. */
export const AccountOfferRecord = z.object({
  offerKey: z.string().describe('Stable ID of the offer.'),
  provider: z.string().describe('Display name of the provider.'),
  providerSlug: z.string().nullable().describe('Slug of the provider; null if it is not in the rates data.'),
  logoUrl,
  accountName: z.string().describe('Name of the account.'),
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
  updatedAt,
})

export type AccountOfferRecord = z.infer<typeof AccountOfferRecord>

/** Maps an account offer to the API. */
export function toAccountOffer(offer: AccountOffer, { publicUrl }: Context): AccountOfferRecord {
  return {
    offerKey: offer.offerKey,
    provider: offer.provider,
    providerSlug: offer.providerSlug,
    logoUrl: absolute(offer.logoPath, publicUrl),
    accountName: offer.accountName,
    accountType: offer.accountType,
    headline: offer.headline,
    creditInterestRate: orNull(offer.creditInterestBp),
    creditInterestMaxBalance: orNull(offer.creditInterestMaxBalancePence),
    cashbackRate: orNull(offer.cashbackBp),
    cashbackCategories: [...offer.cashbackCategories],
    cashbackCap: orNull(offer.cashbackCapPence),
    monthlyFee: twoDecimals(offer.monthlyFeePence),
    overdraftRate: orNull(offer.overdraftBp),
    overdraftInterestFreeAmount: orNull(offer.overdraftInterestFreePence),
    introductoryPeriod: offer.introductoryPeriod,
    minPayIn: orNull(offer.minPayInPence),
    minDirectDebits: offer.minDirectDebits,
    linkedSaverRate: orNull(offer.linkedSaverBp),
    startDate: offer.startDate,
    endDate: offer.endDate,
    newCustomersOnly: offer.newCustomersOnly,
    termsUrl: offer.termsUrl,
    updatedAt: offer.updatedAt,
  }
}

import { z } from 'zod'
import { twoDecimals } from '../../contract/formats.ts'
import type { AccountOffer } from '../../market/account-offer.ts'
import type { Context } from '../define.ts'
import { absolute, day, logoUrl, money, orNull, percent, updatedAt } from '../providers/record-fields.ts'

/** An account offer as callers read it. */
export const AccountOfferRecord = z.object({
  offerKey: z.string().describe('Stable id of the offer.'),
  provider: z.string().describe('Display name of the provider.'),
  providerSlug: z.string().nullable().describe('Slug of the provider, or null when it is none of the rates data.'),
  logoUrl,
  accountName: z.string().describe('Name of the account.'),
  accountType: z.string().describe('Kind of account: current-account, packaged, premium, student, graduate, children or basic.'),
  headline: z.string().describe('The offer in one line.'),
  creditInterestRate: percent('Interest on a credit balance, AER; null when none is paid.').nullable(),
  creditInterestMaxBalance: money('Balance up to which it is paid; null without a limit.').nullable(),
  cashbackRate: percent('Cashback; null when none is paid.').nullable(),
  cashbackCategories: z.array(z.string()).describe('What cashback is paid on.'),
  cashbackCap: money('Most cashback in a month; null without a limit.').nullable(),
  monthlyFee: money('Fee of the account a month.'),
  overdraftRate: percent('Interest on an arranged overdraft, EAR; null when there is none or it is unknown.').nullable(),
  overdraftInterestFreeAmount: money('Overdraft without interest; null when there is none.').nullable(),
  introductoryPeriod: z.string().nullable().describe('How long the introductory terms last, like "12 months"; null when they stay.'),
  minPayIn: money('What has to be paid in each month; null when nothing has to.').nullable(),
  minDirectDebits: z.int().nullable().describe('Direct debits that have to be active; null when none have to.'),
  linkedSaverRate: percent('Rate of a saver that only holders of the account can open, AER; null when there is none.').nullable(),
  startDate: day('First day of the offer.'),
  endDate: day('Last day of the offer; null: until further notice.').nullable(),
  newCustomersOnly: z.boolean().describe('Whether only new customers may take it.'),
  termsUrl: z.url().describe('Terms of the offer.'),
  updatedAt,
})

export type AccountOfferRecord = z.infer<typeof AccountOfferRecord>

/** The read model in the words of the contract. */
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

import { z } from 'zod'
import { accountTypes } from '#server/api/contract/account-types.ts'
import { twoDecimals } from '#server/api/contract/formats.ts'
import type { Match } from '#server/market/product.ts'
import type { Context } from '../define.ts'
import { percent } from '../market-statistics/statistic-fields.ts'
import { absolute, providerLogoUrl, withdrawnAt } from '../record-fields.ts'

/** Schema of a savings product in API responses. Names and meaning are frozen within v1. */
export const SavingsProduct = z.object({
  sourceKey: z
    .string()
    .meta({ examples: ['harrow-vale-easy-access-7f3a'] })
    .describe('Stable product ID. Store this rather than the name.'),
  provider: z.string().describe('Display name of the provider.'),
  providerSlug: z.string().describe('Slug of the provider, as in /reference/providers.'),
  accountName: z.string().describe('Display name of the account.'),
  accountType: z.string().describe('Display label of the account type.'),
  rate: percent.describe('AER in percent with two decimals, including the bonus.'),
  baseRate: percent.describe('Rate excluding the bonus, in percent.'),
  boostRate: percent.describe('Bonus rate in percent; 0.00 if there is no bonus.'),
  boostDuration: z.string().nullable().describe('Duration of the bonus, for example "12 months"; null if there is no bonus.'),
  interestPaid: z.string().describe('Interest payment frequency.'),
  interestType: z.string().describe('Variable or fixed.'),
  access: z.string().describe('Withdrawal terms.'),
  minBalance: z.number().describe('Minimum balance in GBP.'),
  maxBalance: z.number().nullable().describe('Maximum balance in GBP; null if there is none.'),
  maxMonthlyDeposit: z.number().nullable().describe('Maximum monthly deposit in GBP; null if there is none.'),
  fscsDetails: z.string().describe('Deposit protection statement.'),
  newCustomersOnly: z.boolean().describe('True if only new customers can apply.'),
  depositscoutUrl: z.url().describe("URL of the product's page on this site."),
  matchReasons: z.array(z.string()).describe('Why the product matched, one sentence per reason.'),
  updatedAt: z.iso
    .datetime()
    .meta({ examples: ['2026-11-21T06:00:00.000Z'] })
    .describe('Time of the last change to the product, UTC.'),
  termMonths: z.int().nullable().describe('Term in months; null if there is none.'),
  noticeDays: z.int().nullable().describe('Notice period in days; null if there is none.'),
  withdrawalsPerYear: z.int().nullable().describe('Maximum number of withdrawals a year; 0 if none are allowed, null if no limit is stated.'),
  maturityDate: z.iso.date().nullable().describe('Date on which the account matures; null if there is none, or if it depends on the day of opening.'),
  listedSince: z.iso
    .date()
    .nullable()
    .meta({ examples: ['2025-03-14'] })
    .describe('First day of the current listing, UK time; null if unknown.'),
  withdrawnAt,
  providerLogoUrl,
})

export type SavingsProduct = z.infer<typeof SavingsProduct>

const pounds = (pence: number) => pence / 100

/** Converts a savings product to its API record. */
export function toSavingsProduct({ product, reasons }: Match, { publicUrl, withLogos }: Context): SavingsProduct {
  const row = {
    sourceKey: product.sourceKey,
    provider: product.provider,
    providerSlug: product.providerSlug,
    accountName: product.accountName,
    accountType: accountTypes[product.accountType].label,
    rate: twoDecimals(product.rateBp),
    baseRate: twoDecimals(product.baseRateBp),
    boostRate: twoDecimals(product.boostRateBp),
    boostDuration: product.boostDuration,
    interestPaid: product.interestPaid,
    interestType: product.interestType,
    access: product.access,
    minBalance: pounds(product.minBalancePence),
    maxBalance: product.maxBalancePence === null ? null : pounds(product.maxBalancePence),
    maxMonthlyDeposit: product.maxMonthlyDepositPence === null ? null : pounds(product.maxMonthlyDepositPence),
    fscsDetails: product.fscsDetails,
    newCustomersOnly: product.newCustomersOnly,
    depositscoutUrl: `${publicUrl}/products/${encodeURIComponent(product.sourceKey)}`,
    matchReasons: reasons,
    updatedAt: product.updatedAt,
    termMonths: product.termMonths,
    noticeDays: product.noticeDays,
    withdrawalsPerYear: product.withdrawalsPerYear,
    maturityDate: product.maturityDate,
    listedSince: product.listedSince,
    withdrawnAt: product.withdrawnAt ?? null,
  }
  return withLogos ? { ...row, providerLogoUrl: absolute(product.providerLogoPath, publicUrl) } : row
}

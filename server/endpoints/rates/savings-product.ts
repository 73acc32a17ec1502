import { z } from 'zod'
import { accountTypes } from '../../contract/account-types.ts'
import { twoDecimals } from '../../contract/formats.ts'
import type { Match } from '../../market/product.ts'
import type { Context } from '../define.ts'
import { providerLogoUrl } from '../providers/record-fields.ts'

const percent = z
  .string()
  .regex(/^-?\d+\.\d\d$/)
  .meta({ examples: ['4.50'] })

/** A savings product as callers read it. Names and meaning are frozen within v1. */
export const SavingsProduct = z.object({
  sourceKey: z
    .string()
    .meta({ examples: ['harrow-vale-easy-access-7f3a'] })
    .describe('Stable product id. Store it rather than the name.'),
  provider: z.string().describe('Display name of the provider.'),
  providerSlug: z.string().describe('Slug of the provider, as in /reference/providers.'),
  accountName: z.string().describe('Display name of the account.'),
  accountType: z.string().describe('Display label of the account type.'),
  rate: percent.describe('AER-style percentage with two decimals, bonus included.'),
  baseRate: percent.describe('Percentage without the bonus.'),
  boostRate: percent.describe('The bonus part, as a percentage; 0.00 without a bonus.'),
  boostDuration: z.string().nullable().describe('How long the bonus lasts, for example "12 months"; null without a bonus.'),
  interestPaid: z.string().describe('How often interest is paid.'),
  interestType: z.string().describe('Variable or fixed.'),
  access: z.string().describe('How the money can be reached.'),
  minBalance: z.number().describe('Smallest balance accepted, in GBP.'),
  maxBalance: z.number().nullable().describe('Largest balance accepted, in GBP; null without one.'),
  maxMonthlyDeposit: z.number().nullable().describe('Largest deposit a month, in GBP; null without one.'),
  fscsDetails: z.string().describe('How deposits are protected.'),
  newCustomersOnly: z.boolean().describe('Whether it is open to new customers of the provider alone.'),
  depositscoutUrl: z.url().describe('Page of the product on this site.'),
  matchReasons: z.array(z.string()).describe('Facts on why the product is in the result.'),
  updatedAt: z.iso
    .datetime()
    .meta({ examples: ['2026-11-21T06:00:00.000Z'] })
    .describe('Last change of the product, UTC.'),
  providerLogoUrl,
})

export type SavingsProduct = z.infer<typeof SavingsProduct>

const pounds = (pence: number) => pence / 100

/** The read model in the words of the contract. */
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
  }
  return withLogos ? { ...row, providerLogoUrl: product.providerLogoPath === null ? null : publicUrl + product.providerLogoPath } : row
}

import { z } from 'zod'
import { accountTypeValues } from '#server/api/contract/account-types.ts'
import { type DirectoryEntry, providerTypes } from '#server/market/provider.ts'
import type { Context } from '../define.ts'
import { absolute, day, logoUrl, money, orNull, percent, toRecord, updatedAt, withdrawnAt } from '../record-fields.ts'

/** Schema of a provider in API responses. */
export const ProviderRecord = z.object({
  slug: z.string().describe('Stable key of the provider, as in /reference/providers.'),
  name: z.string().describe('Display name.'),
  logoUrl,
  legalName: z.string().describe('Registered name of the firm.'),
  frn: z.string().nullable().describe('FCA firm reference number as a string; null if unknown.'),
  providerType: z.enum(providerTypes).describe('Type of firm.'),
  website: z.url().describe('Home page of the provider.'),
  founded: z.int().nullable().describe('Year founded; null if unknown.'),
  headquarters: z.string().nullable().describe('Town of the head office; null if unknown.'),
  ownerName: z.string().nullable().describe('Owner; null if unknown or none.'),
  ownerCountry: z.string().nullable().describe('Country of the owner, ISO 3166-1 alpha-2; null if unknown.'),
  protectionScheme: z.string().describe('Deposit protection scheme.'),
  protectionLimit: money('Protection limit per person; null if unlimited or dependent on a partner bank.').nullable(),
  licenceGroup: z.string().describe('Providers with the same value share one licence and one protection limit.'),
  sharesLicenceWith: z.array(z.string()).describe('Slugs of the other providers on the same licence.'),
  trustScore: z
    .string()
    .regex(/^[0-5]\.\d$/)
    .nullable()
    .describe('Average customer review score from 0.0 to 5.0, one decimal; null if there is none.'),
  trustReviewCount: z.int().nullable().describe('Number of reviews behind trustScore; null if unknown.'),
  trustSource: z.string().nullable().describe('Source of the reviews.'),
  trustAsOf: day('Date of trustScore.').nullable(),
  productCount: z.int().describe('Number of listed savings products.'),
  topRate: percent('Best rate of its products; null if it has none.').nullable(),
  accountTypes: z.array(z.enum(accountTypeValues)).describe('Account types of its products, as `type` on /rates.'),
  cassParticipant: z.boolean().describe('True if the firm participates in the Current Account Switch Service.'),
  updatedAt,
  withdrawnAt,
})

export type ProviderRecord = z.infer<typeof ProviderRecord>

const noTrust = { trustScore: null, trustReviewCount: null, trustSource: null, trustAsOf: null }

function toTrust({ trust }: DirectoryEntry) {
  if (trust === undefined) return noTrust
  const { scoreTenths, reviewCount, source, asOf } = trust
  return { trustScore: `${Math.floor(scoreTenths / 10)}.${scoreTenths % 10}`, trustReviewCount: reviewCount, trustSource: source, trustAsOf: asOf }
}

/** Converts a provider to its API record. */
export function toProvider(entry: DirectoryEntry, { publicUrl }: Context): ProviderRecord {
  return toRecord(ProviderRecord, {
    ...entry,
    logoUrl: absolute(entry.logoPath, publicUrl),
    protectionLimit: orNull(entry.protectionLimitPence),
    ...toTrust(entry),
    topRate: orNull(entry.topRateBp),
    withdrawnAt: entry.withdrawnAt ?? null,
  })
}

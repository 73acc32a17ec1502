import { z } from 'zod'
import { accountTypeValues } from '../../contract/account-types.ts'
import { twoDecimals } from '../../contract/formats.ts'
import { providerTypes } from '../../market/provider.ts'
import type { DirectoryEntry } from '../../market/provider-directory.ts'
import type { Context } from '../define.ts'
import { absolute, day, logoUrl, money, orNull, percent, updatedAt } from './record-fields.ts'

/** A provider as callers read it. */
export const ProviderRecord = z.object({
  slug: z.string().describe('Stable key of the provider, as in /reference/providers.'),
  name: z.string().describe('Display name.'),
  logoUrl,
  legalName: z.string().describe('Registered name of the firm.'),
  frn: z.string().nullable().describe('FCA firm reference number, as text; null when unknown.'),
  providerType: z.enum(providerTypes).describe('Kind of firm.'),
  website: z.url().describe('Home page of the provider.'),
  founded: z.int().nullable().describe('Calendar year; null when unknown.'),
  headquarters: z.string().nullable().describe('Town of the head office; null when unknown.'),
  ownerName: z.string().nullable().describe('Owner; null when it has none or it is unknown.'),
  ownerCountry: z.string().nullable().describe('Country of the owner, ISO 3166-1 alpha-2; null when unknown.'),
  protectionScheme: z.string().describe('Scheme that protects deposits.'),
  protectionLimit: money('Protected for each person; null when there is no limit or it depends on a partner bank.').nullable(),
  licenceGroup: z.string().describe('Providers with the same value share one licence and one protection limit.'),
  sharesLicenceWith: z.array(z.string()).describe('Slugs of the other providers on the same licence.'),
  trustScore: z
    .string()
    .regex(/^[0-5]\.\d$/)
    .nullable()
    .describe('Mean of customer reviews from 0.0 to 5.0, one decimal; null when there is none.'),
  trustReviewCount: z.int().nullable().describe('Reviews behind trustScore; null when unknown.'),
  trustSource: z.string().nullable().describe('Who collected the reviews.'),
  trustAsOf: day('When trustScore stood.').nullable(),
  productCount: z.int().describe('Savings products that are listed.'),
  topRate: percent('Best rate of those products; null without products.').nullable(),
  accountTypes: z.array(z.enum(accountTypeValues)).describe('Types of those products, as values of `type` on /rates.'),
  cassParticipant: z.boolean().describe('Whether it takes part in the Current Account Switch Service.'),
  updatedAt,
})

export type ProviderRecord = z.infer<typeof ProviderRecord>

const noTrust = { trustScore: null, trustReviewCount: null, trustSource: null, trustAsOf: null }

function toTrust({ trust }: DirectoryEntry) {
  if (trust === undefined) return noTrust
  const { scoreTenths, reviewCount, source, asOf } = trust
  return { trustScore: `${Math.floor(scoreTenths / 10)}.${scoreTenths % 10}`, trustReviewCount: reviewCount, trustSource: source, trustAsOf: asOf }
}

/** The read model in the words of the contract. */
export function toProvider(entry: DirectoryEntry, { publicUrl }: Context): ProviderRecord {
  return {
    slug: entry.slug,
    name: entry.name,
    logoUrl: absolute(entry.logoPath, publicUrl),
    legalName: entry.legalName,
    frn: entry.frn,
    providerType: entry.providerType,
    website: entry.website,
    founded: entry.founded,
    headquarters: entry.headquarters,
    ownerName: entry.ownerName,
    ownerCountry: entry.ownerCountry,
    protectionScheme: entry.protectionScheme,
    protectionLimit: orNull(entry.protectionLimitPence),
    licenceGroup: entry.licenceGroup,
    sharesLicenceWith: [...entry.sharesLicenceWith],
    ...toTrust(entry),
    productCount: entry.productCount,
    topRate: entry.topRateBp === null ? null : twoDecimals(entry.topRateBp),
    accountTypes: [...entry.accountTypes],
    cassParticipant: entry.cassParticipant,
    updatedAt: entry.updatedAt,
  }
}

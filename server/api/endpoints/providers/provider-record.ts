import { z } from 'zod'
import { accountTypeValues } from '#server/api/contract/account-types.ts'
import { fromPlan } from '#server/api/contract/endpoint.ts'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { type DirectoryEntry, providerTypes } from '#server/market/provider.ts'
import type { Context } from '../define.ts'

const twoDecimalText = z.string().regex(/^\d+\.\d\d$/)
const moneyText = twoDecimalText.meta({ examples: ['125.00'] })
const percentText = twoDecimalText.meta({ examples: ['4.50'] })

/** Returns the schema of an amount of money. */
export const money = (meaning: string) => moneyText.describe(`${meaning} In GBP with two decimals.`)

/** Returns the schema of a rate or fee in percent. */
export const percent = (meaning: string) => percentText.describe(`${meaning} In percent with two decimals.`)

/** Returns the schema of a calendar date. */
export const day = (meaning: string) =>
  z.iso
    .date()
    .meta({ examples: ['2026-11-21'] })
    .describe(`${meaning} ISO 8601 date.`)

export const logoUrl = z.url().nullable().describe("Absolute URL of the provider's logo; null if it has none.")

/** Logo URL that live keys below the Enterprise plan don't get. The request pipeline rejects their calls if `fields` names it. */
export const providerLogoUrl = fromPlan('enterprise', z.url().nullable().optional().describe("URL of the provider's logo; Enterprise plan only."))

export const updatedAt = z.iso
  .datetime()
  .meta({ examples: ['2026-11-21T06:00:00.000Z'] })
  .describe('Time of the last change to the record, ISO 8601 UTC.')

/** Formats hundredths with two decimals; null if unknown. */
export const orNull = (hundredths: number | null): string | null => (hundredths === null ? null : twoDecimals(hundredths))

/** Returns the absolute URL of a path on this service, or null if there is no path. */
export const absolute = (path: string | null, publicUrl: string): string | null => (path === null ? null : publicUrl + path)

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
  topRate: percent('Best rate of its products; null without products.').nullable(),
  accountTypes: z.array(z.enum(accountTypeValues)).describe('Account types of its products, as `type` on /rates.'),
  cassParticipant: z.boolean().describe('True if the firm participates in the Current Account Switch Service.'),
  updatedAt,
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

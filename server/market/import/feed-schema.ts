import { z } from 'zod'
import { providerTypes } from '../provider.ts'
import { cardSchema } from './card-schema.ts'
import {
  day,
  duration,
  enumOf,
  flag,
  kind,
  moment,
  must,
  optional,
  or,
  pounds,
  productType,
  providerSlug,
  rate,
  slug,
  sourceKey,
  tenths,
  text,
  url,
  whole,
} from './feed-fields.ts'
import type { FeedKind } from './feed-kind.ts'
import { accountOfferSchema, switchOfferSchema } from './offer-schema.ts'
import { rateHistorySchema } from './rate-history-schema.ts'
import { serviceQualitySchema } from './survey-schema.ts'

/** One line of a provider feed. */
export const providerSchema = z.strictObject({
  kind: kind('provider'),
  slug: providerSlug.describe('Stable key of the provider, such as harrow-vale. Products and cards name it.'),
  name: text(120).describe('Display name.'),
  legalName: text(200).describe('Registered name of the firm.'),
  frn: optional(z.string(must('text')).regex(/^\d{6,7}$/, 'must be 6 or 7 digits')).describe('FCA firm reference number, 6 or 7 digits as text.'),
  providerType: enumOf(providerTypes).describe('Kind of firm.'),
  website: url.describe('Address of the home page.'),
  founded: optional(whole(1000, 2100)).describe('Calendar year.'),
  headquarters: optional(text(120)).describe('Town of the head office.'),
  ownerName: optional(text(200)).describe('Name of the owner.'),
  ownerCountry: optional(z.string(must('text')).regex(/^[A-Z]{2}$/, 'must be two capital letters')).describe('Country of the owner, ISO 3166-1 alpha-2.'),
  protectionScheme: text(200).describe('Scheme that protects deposits, such as FSCS.'),
  protectionLimit: optional(pounds()).describe(
    'Protected for each person, pounds with at most two decimals. Left out: no limit, or it depends on a partner bank.',
  ),
  licenceGroup: slug(160).describe('Providers with the same value share one licence and one protection limit.'),
  cassParticipant: or(flag, false).describe('Whether the firm takes part in the Current Account Switch Service. Left out: false.'),
  active: or(flag, true).describe('Whether the provider is listed. Products of an inactive provider are not served. Left out: true.'),
  colour: optional(
    z
      .string(must('text'))
      .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #2f5d50')
      .toLowerCase(),
  ).describe('Ground of the monogram logo, #rrggbb. Left out: no logo.'),
  trustScore: optional(tenths).describe('Mean of customer reviews, 0.0 to 5.0 with one decimal. Needs trustSource and trustAsOf.'),
  trustReviewCount: optional(whole(0, 100_000_000)).describe('Number of reviews behind it.'),
  trustSource: optional(text(120)).describe('Who collected the reviews.'),
  trustAsOf: optional(day).describe('Day on which the score stood, ISO 8601.'),
})

/** One line of a product feed. Rules that join fields stand in `validate-feed.ts`. */
export const productSchema = z.strictObject({
  kind: kind('product'),
  sourceKey: sourceKey.describe('Stable id of the product; it outlives every change, its name included.'),
  providerSlug: providerSlug.describe('Slug of a provider of the same dataset, imported before.'),
  accountName: text(200).describe('Name of the account.'),
  accountType: productType.describe('Account type.'),
  rate: rate().describe('AER in percent with at most two decimals; base rate and bonus together.'),
  baseRate: rate().describe('Rate without the bonus, percent with at most two decimals.'),
  boostRate: optional(rate())
    .transform((value) => value ?? 0)
    .describe('Bonus part of the rate, percent with at most two decimals. Left out: none.'),
  boostDuration: optional(duration).describe('How long the bonus lasts, like "12 months". Needed with a bonus.'),
  interestPaid: enumOf(['Daily', 'Monthly', 'Quarterly', 'Half-yearly', 'Annually', 'At maturity']).describe('How often interest is paid.'),
  interestType: enumOf(['Variable', 'Fixed', 'Tracker']).describe('Whether the rate can change.'),
  access: text(120).describe('How the money can be reached, in a few words.'),
  minBalance: pounds().describe('Smallest balance that is accepted, pounds with at most two decimals.'),
  maxBalance: optional(pounds()).describe('Largest balance that is accepted, pounds with at most two decimals. Left out: no maximum.'),
  maxMonthlyDeposit: optional(pounds()).describe('Largest deposit in a month, pounds with at most two decimals. Left out: no maximum.'),
  termMonths: optional(whole(1, 1200)).describe('Length of the term in months. Needed for fixed-rate.'),
  noticeDays: optional(whole(1, 3650)).describe('Notice in days. Needed for notice.'),
  fscsDetails: text(400).describe('Statement of the protection, one sentence.'),
  newCustomersOnly: or(flag, false).describe('Whether only new customers may open it. Left out: false.'),
  url: url.describe("The provider's own page for the product; served only by the link endpoint."),
  urlCheckedAt: optional(moment).describe('When the address was last seen to work, ISO 8601. Left out: the import that first brings the address.'),
})

export const feedSchemas = {
  provider: providerSchema,
  product: productSchema,
  card: cardSchema,
  switch_offer: switchOfferSchema,
  account_offer: accountOfferSchema,
  service_quality: serviceQualitySchema,
  rate_history: rateHistorySchema,
} as const satisfies Record<FeedKind, z.ZodType>

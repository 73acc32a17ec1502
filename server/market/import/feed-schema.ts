import { z } from 'zod'
import { interestPayments } from '../product.ts'
import { providerTypes, surveyRegions } from '../provider.ts'
import { cardSchema } from './card-schema.ts'
import {
  day,
  duration,
  flag,
  kind,
  moment,
  must,
  nested,
  oneOf,
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

/** Minimum number of responses for a score. A score based on fewer responses isn't statistically meaningful. */
export const minResponses = 100

const score = z
  .strictObject({
    percent: whole(0, 100).describe('Percentage of respondents extremely or very likely to recommend the service, as a whole number.'),
    rank: whole(1, 1000).describe('Rank, starting at 1.'),
    jointRank: or(flag, false).describe('True if the rank is shared. Defaults to false.'),
    rankOf: whole(1, 1000).describe('Number of providers scored.'),
    answers: optional(whole(minResponses, 100_000_000)).describe(`Number of responses, at least ${minResponses}; with fewer, omit the score.`),
  })
  // The number of responses is validated but not stored.
  .transform(({ percent, rank, jointRank, rankOf }) => ({ percent, rank, jointRank, rankOf }))

const scored = (about: string) => optional(nested(score)).describe(`${about} Omit with fewer than ${minResponses} responses. In CSV, as JSON.`)

/** Record of a service quality feed: the latest survey of a provider in one region. */
const serviceQualitySchema = z.strictObject({
  kind: kind('service_quality'),
  providerSlug: providerSlug.describe('Slug of a provider already imported into the same dataset. Together with the region, it identifies the record.'),
  region: oneOf(surveyRegions).describe('Great Britain or Northern Ireland; each has its own survey.'),
  survey: text(200).describe('Name of the survey.'),
  publisher: text(120).describe('Publisher of the survey.'),
  periodStart: day.describe('First day of the survey, ISO 8601.'),
  periodEnd: day.describe('Last day of the survey, ISO 8601.'),
  publishedAt: day.describe('Date of publication, ISO 8601.'),
  nextPublication: optional(day).describe('Date of the next results, ISO 8601.'),
  sampleSize: optional(whole(0, 100_000_000)).describe("Number of the provider's customers surveyed."),
  providersRanked: whole(1, 1000).describe("Number of providers in this region's survey."),
  overall: scored('Overall service quality.'),
  onlineAndMobile: scored('Online and mobile banking.'),
  overdraft: scored('Overdraft services.'),
  branch: scored('Services in branches. Omit for banks without branches.'),
  methodologyUrl: url.describe('URL of the methodology.'),
  accountOpeningDays: optional(whole(0, 1000)).describe('Average days to open an account.'),
  debitCardReplacementDays: optional(whole(0, 1000)).describe('Average days to replace a debit card.'),
  majorIncidentsLastYear: optional(whole(0, 10_000)).describe('Major operational and security incidents in the last year.'),
})

/**
 * Record of a rate history feed: the terms of a product from a given day, or its withdrawal on that day. The previous terms are those of the preceding record,
 * so records can't contradict each other. Cross-field rules are in `feed-rules.ts`.
 */
const rateHistorySchema = z.strictObject({
  kind: kind('rate_history'),
  sourceKey: sourceKey.describe('Stable ID of the product.'),
  effectiveDate: day.describe('First day of the rate, ISO 8601; not later than today in London.'),
  detectedAt: optional(moment).describe('Time of detection, ISO 8601. Determines the order of changes on the same day. Defaults to the start of the day.'),
  withdrawn: or(flag, false).describe('True if the product was withdrawn on that day. Defaults to false.'),
  rate: optional(rate()).describe('AER in percent from that day on, including the bonus. Omit if withdrawn.'),
  baseRate: optional(rate()).describe('Rate excluding the bonus, in percent. Defaults to rate minus boostRate.'),
  boostRate: optional(rate()).describe("Bonus rate in percent. Omit if there's no bonus."),
  boostDuration: optional(duration).describe('Duration of the bonus, such as "12 months". Required with a bonus.'),
  providerSlug: optional(providerSlug).describe('Slug of the provider. Required if the product is not in the dataset; otherwise it must match the product.'),
  accountName: optional(text(200)).describe('Name of the account at the time. Required if the product is not in the dataset. Defaults to its current name.'),
  accountType: optional(productType).describe('Account type. Required if the product is not in the dataset; otherwise it must match the product.'),
})

/** Record of a provider feed. */
const providerSchema = z.strictObject({
  kind: kind('provider'),
  slug: providerSlug.describe('Stable key of the provider, such as harrow-vale. Referenced by products and cards.'),
  name: text(120).describe('Display name.'),
  legalName: text(200).describe('Registered name of the firm.'),
  frn: optional(z.string(must('text')).regex(/^\d{6,7}$/, 'must be 6 or 7 digits')).describe('FCA firm reference number: a string of 6 or 7 digits.'),
  providerType: oneOf(providerTypes).describe('Type of firm.'),
  website: url.describe('URL of the home page.'),
  founded: optional(whole(1000, 2100)).describe('Year founded.'),
  headquarters: optional(text(120)).describe('Town of the head office.'),
  ownerName: optional(text(200)).describe('Name of the owner.'),
  ownerCountry: optional(z.string(must('text')).regex(/^[A-Z]{2}$/, 'must be two capital letters')).describe('Country of the owner, ISO 3166-1 alpha-2.'),
  protectionScheme: text(200).describe('Deposit protection scheme, such as FSCS.'),
  protectionLimit: optional(pounds()).describe(
    "Protection limit per person in pounds, with at most two decimals. Omit if there's no limit or if it depends on a partner bank.",
  ),
  licenceGroup: slug(160).describe('Providers with the same value share one licence and one protection limit.'),
  cassParticipant: or(flag, false).describe('True if the firm participates in the Current Account Switch Service. Defaults to false.'),
  active: or(flag, true).describe('True if the provider is listed. Products of an inactive provider are not served. Defaults to true.'),
  colour: optional(
    z
      .string(must('text'))
      .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #2f5d50')
      .toLowerCase(),
  ).describe('Background colour of the monogram logo, as #rrggbb. Omit for no logo.'),
  trustScore: optional(tenths).describe('Average customer review score, 0.0 to 5.0 with one decimal. Requires trustSource and trustAsOf.'),
  trustReviewCount: optional(whole(0, 100_000_000)).describe('Number of reviews.'),
  trustSource: optional(text(120)).describe('Source of the reviews.'),
  trustAsOf: optional(day).describe('Date of the score, ISO 8601.'),
})

/** Record of a product feed. Cross-field rules are in `feed-rules.ts`. */
const productSchema = z.strictObject({
  kind: kind('product'),
  sourceKey: sourceKey.describe('Stable ID of the product. Never changes, even if the product is renamed.'),
  providerSlug: providerSlug.describe('Slug of a provider already imported into the same dataset.'),
  accountName: text(200).describe('Name of the account.'),
  accountType: productType.describe('Account type.'),
  rate: rate().describe('AER in percent with at most two decimals, including the bonus.'),
  baseRate: rate().describe('Rate excluding the bonus, in percent with at most two decimals.'),
  boostRate: optional(rate())
    .transform((value) => value ?? 0)
    .describe("Bonus rate in percent, with at most two decimals. Omit if there's no bonus."),
  boostDuration: optional(duration).describe('Duration of the bonus, such as "12 months". Required with a bonus.'),
  interestPaid: oneOf(interestPayments).describe('Interest payment frequency.'),
  interestType: oneOf(['Variable', 'Fixed', 'Tracker']).describe('Type of interest rate.'),
  access: text(120).describe('Withdrawal terms, in a few words.'),
  minBalance: pounds().describe('Minimum balance in pounds, with at most two decimals.'),
  maxBalance: optional(pounds()).describe("Maximum balance in pounds, with at most two decimals. Omit if there's no maximum."),
  maxMonthlyDeposit: optional(pounds()).describe("Maximum monthly deposit in pounds, with at most two decimals. Omit if there's no maximum."),
  termMonths: optional(whole(1, 1200)).describe('Term in months. Required for fixed-rate.'),
  noticeDays: optional(whole(1, 3650)).describe('Notice period in days. Required for notice.'),
  withdrawalsPerYear: optional(whole(0, 366)).describe('Maximum number of withdrawals a year; 0 if none are allowed. Omit if no limit is stated.'),
  maturityDate: optional(day).describe("Date on which the account matures, ISO 8601. Omit if there's none or if it depends on the opening date."),
  fscsDetails: text(400).describe('Deposit protection statement in one sentence.'),
  newCustomersOnly: or(flag, false).describe('True if only new customers can apply. Defaults to false.'),
  url: url.describe("Provider's page for the product. Only returned by the link endpoint."),
  urlCheckedAt: optional(moment).describe('Time the URL was last verified, ISO 8601. Defaults to the time of the first import with this URL.'),
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

/** Valid record of a feed kind: rates in basis points, money in pence, null for omitted fields. */
export type ParsedRecord<Kind extends FeedKind> = z.output<(typeof feedSchemas)[Kind]>

import { z } from 'zod'
import { surveyRegions } from '../service-survey.ts'
import { day, flag, kind, nested, oneOf, optional, or, providerSlug, text, url, whole } from './feed-fields.ts'

/** Minimum number of responses for a score; with fewer it isn't statistically meaningful. */
export const minResponses = 100

const score = z
  .strictObject({
    percent: whole(0, 100).describe('Percentage extremely or very likely to recommend it, whole number.'),
    rank: whole(1, 1000).describe('Rank, starting at 1.'),
    jointRank: or(flag, false).describe('True if the rank is shared. Omitted: false.'),
    rankOf: whole(1, 1000).describe('Number of providers scored.'),
    answers: optional(whole(minResponses, 100_000_000)).describe(`Number of responses, at least ${minResponses}; omit the score with fewer.`),
  })
  // The number of responses is validated but not stored.
  .transform(({ percent, rank, jointRank, rankOf }) => ({ percent, rank, jointRank, rankOf }))

const scored = (about: string) => optional(nested(score)).describe(`${about} Omit with fewer than ${minResponses} responses. JSON in CSV.`)

/** Record of a service quality feed: the latest survey of a provider in one region. */
export const serviceQualitySchema = z.strictObject({
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

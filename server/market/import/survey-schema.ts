import { z } from 'zod'
import { surveyRegions } from '../service-survey.ts'
import { day, enumOf, flag, kind, nested, optional, or, providerSlug, text, url, whole } from './feed-fields.ts'

/** Scores on fewer answers than this are not shown: chance would decide them. */
export const fewestAnswers = 100

const score = z
  .strictObject({
    percent: whole(0, 100).describe('Whole percent who are extremely or very likely to recommend it.'),
    rank: whole(1, 1000).describe('Place from 1.'),
    jointRank: or(flag, false).describe('Whether others share the rank. Left out: false.'),
    rankOf: whole(1, 1000).describe('Providers that were scored.'),
    answers: optional(whole(fewestAnswers, 100_000_000)).describe(`People who answered, at least ${fewestAnswers}; leave the score out with fewer.`),
  })
  // The number of answers is checked and not kept.
  .transform(({ percent, rank, jointRank, rankOf }) => ({ percent, rank, jointRank, rankOf }))

const scored = (about: string) => optional(nested(score)).describe(`${about} Left out with fewer than ${fewestAnswers} answers. In CSV as JSON.`)

/** One line of a feed of service quality: the newest survey of a provider in one region. */
export const serviceQualitySchema = z.strictObject({
  kind: kind('service_quality'),
  providerSlug: providerSlug.describe('Slug of a provider of the same dataset, imported before. With the region it identifies the line.'),
  region: enumOf(surveyRegions).describe('Great Britain or Northern Ireland; each has a survey of its own.'),
  survey: text(200).describe('Name of the survey.'),
  publisher: text(120).describe('Who made it.'),
  periodStart: day.describe('First day of asking, ISO 8601.'),
  periodEnd: day.describe('Last day of asking, ISO 8601.'),
  publishedAt: day.describe('Day of publication, ISO 8601.'),
  nextPublication: optional(day).describe('Day on which the next results are due, ISO 8601.'),
  sampleSize: optional(whole(0, 100_000_000)).describe("The provider's customers who were asked."),
  providersRanked: whole(1, 1000).describe('Providers in the survey of this region.'),
  overall: scored('Service as a whole.'),
  onlineAndMobile: scored('Online and mobile banking.'),
  overdraft: scored('Overdraft services.'),
  branch: scored('Branches; left out by a bank without any, too.'),
  methodologyUrl: url.describe('Address of the method.'),
  accountOpeningDays: optional(whole(0, 1000)).describe('Days that opening an account takes on average.'),
  debitCardReplacementDays: optional(whole(0, 1000)).describe('Days that replacing a debit card takes on average.'),
  majorIncidentsLastYear: optional(whole(0, 10_000)).describe('Major operational and security incidents in a year.'),
})

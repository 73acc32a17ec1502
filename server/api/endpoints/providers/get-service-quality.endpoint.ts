import { z } from 'zod'
import { queryText } from '#server/api/contract/query.ts'
import { type SurveyScore, surveyRegions } from '#server/market/provider.ts'
import { defineItem } from '../define.ts'
import { missingProvider } from '../missing-items.ts'
import { absolute, day, logoUrl, toRecord, updatedAt } from '../record-fields.ts'

const Score = z.object({
  percent: z.int().min(0).max(100).describe('Percentage of respondents who are extremely or very likely to recommend the provider for this service.'),
  rank: z.int().min(1).describe('Rank among the scored providers, starting at 1.'),
  jointRank: z.boolean().describe('True if the rank is shared.'),
  rankOf: z.int().min(1).describe('Number of providers scored.'),
})

const toScore = (score: SurveyScore | null) => score && toRecord(Score, score)

const scored = (about: string) => Score.nullable().describe(`${about} Null if there were fewer than 100 responses.`)

const Survey = z.object({
  survey: z.string().describe('Name of the survey.'),
  publisher: z.string().describe('Publisher of the survey.'),
  region: z.enum(surveyRegions).describe('Great Britain or Northern Ireland.'),
  periodStart: day('First day of the survey.'),
  periodEnd: day('Last day of the survey.'),
  publishedAt: day('Date of publication.'),
  nextPublication: day('Date of the next results; null if unknown.').nullable(),
  sampleSize: z.int().nullable().describe("Number of the provider's customers surveyed; null if unknown."),
  providersRanked: z.int().describe("Number of providers in this region's survey."),
  overall: scored('Overall service quality.'),
  onlineAndMobile: scored('Online and mobile banking.'),
  overdraft: scored('Overdraft services.'),
  branch: scored('Services in branches; null if the bank has none.'),
  methodologyUrl: z.url().describe('URL of the survey methodology.'),
  accountOpeningDays: z.int().nullable().describe('Average days to open an account; null if unknown.'),
  debitCardReplacementDays: z.int().nullable().describe('Average days to replace a debit card; null if unknown.'),
  majorIncidentsLastYear: z.int().nullable().describe('Major operational and security incidents in the last year; null if unknown.'),
  updatedAt,
})

export type ServiceSurvey = z.infer<typeof Survey>

export const getServiceQuality = defineItem({
  id: 'providers.service-quality',
  no: 17,
  path: '/providers/{slug}/service-quality',
  tool: 'providers_service_quality',
  summary: 'Get customer ratings of a provider by survey and region.',
  description:
    'Surveys cover current account providers: `surveys` is empty for others. `cassParticipant` on /providers shows which providers have current accounts.',
  when: "to check how satisfied a bank's customers are before recommending it.",
  scope: 'providers:read',
  price: { credits: 2, per: 'request' },
  live: 'open',
  sampled: true,
  input: z.object({ slug: queryText().describe('Slug of the provider, as in /reference/providers.') }),
  output: z.object({
    provider: z
      .object({ slug: z.string().describe('Slug of the provider.'), name: z.string().describe('Display name.'), logoUrl })
      .describe('Provider that the surveys cover.'),
    surveys: z.array(Survey).describe('Latest survey of each region, Great Britain first.'),
  }),
  handle: ({ slug }, { market, publicUrl }) => {
    const provider = market.provider(slug)
    if (!provider) throw missingProvider(slug, market)
    return {
      provider: { slug, name: provider.name, logoUrl: absolute(provider.logoPath, publicUrl) },
      surveys: market.serviceQuality(slug).map((survey) =>
        toRecord(Survey, {
          ...survey,
          overall: toScore(survey.overall),
          onlineAndMobile: toScore(survey.onlineAndMobile),
          overdraft: toScore(survey.overdraft),
          branch: toScore(survey.branch),
        }),
      ),
    }
  },
})

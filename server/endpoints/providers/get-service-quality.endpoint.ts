import { z } from 'zod'
import { perRequest } from '../../contract/prices.ts'
import { queryText } from '../../contract/query.ts'
import { type ServiceSurvey, type SurveyScore, surveyRegions } from '../../market/service-survey.ts'
import { defineItem } from '../define.ts'
import { missingProvider } from '../missing-items.ts'
import { absolute, day, logoUrl, updatedAt } from './record-fields.ts'

const Score = z.object({
  percent: z.int().min(0).max(100).describe('Whole percent of those asked who are extremely or very likely to recommend it.'),
  rank: z.int().min(1).describe('Place from 1 among the providers that were scored.'),
  jointRank: z.boolean().describe('Whether others share the rank.'),
  rankOf: z.int().min(1).describe('Providers that were scored.'),
})

/** The database keeps the parts in an order of its own. */
const toScore = (score: SurveyScore | null) => score && { percent: score.percent, rank: score.rank, jointRank: score.jointRank, rankOf: score.rankOf }

const scored = (about: string) => Score.nullable().describe(`${about} Null where fewer than 100 answered.`)

const Survey = z.object({
  survey: z.string().describe('Name of the survey.'),
  publisher: z.string().describe('Who made it.'),
  region: z.enum(surveyRegions).describe('Great Britain or Northern Ireland.'),
  periodStart: day('First day of asking.'),
  periodEnd: day('Last day of asking.'),
  publishedAt: day('When it was published.'),
  nextPublication: day('When the next results are due; null when unknown.').nullable(),
  sampleSize: z.int().nullable().describe("The provider's customers who were asked; null when unknown."),
  providersRanked: z.int().describe('Providers in the survey of this region.'),
  overall: scored('Service as a whole.'),
  onlineAndMobile: scored('Online and mobile banking.'),
  overdraft: scored('Overdraft services.'),
  branch: scored('Branches; null for a bank without any, too.'),
  methodologyUrl: z.url().describe('How the survey was made.'),
  accountOpeningDays: z.int().nullable().describe('Days that opening an account takes on average; null when unknown.'),
  debitCardReplacementDays: z.int().nullable().describe('Days that replacing a debit card takes on average; null when unknown.'),
  majorIncidentsLastYear: z.int().nullable().describe('Major operational and security incidents in a year; null when unknown.'),
  updatedAt,
})

function toSurvey(survey: ServiceSurvey): z.infer<typeof Survey> {
  return {
    survey: survey.survey,
    publisher: survey.publisher,
    region: survey.region,
    periodStart: survey.periodStart,
    periodEnd: survey.periodEnd,
    publishedAt: survey.publishedAt,
    nextPublication: survey.nextPublication,
    sampleSize: survey.sampleSize,
    providersRanked: survey.providersRanked,
    overall: toScore(survey.overall),
    onlineAndMobile: toScore(survey.onlineAndMobile),
    overdraft: toScore(survey.overdraft),
    branch: toScore(survey.branch),
    methodologyUrl: survey.methodologyUrl,
    accountOpeningDays: survey.accountOpeningDays,
    debitCardReplacementDays: survey.debitCardReplacementDays,
    majorIncidentsLastYear: survey.majorIncidentsLastYear,
    updatedAt: survey.updatedAt,
  }
}

export const getServiceQuality = defineItem({
  id: 'providers.service-quality',
  no: 17,
  path: '/providers/{slug}/service-quality',
  tool: 'providers_service_quality',
  summary: 'Read how customers rate a provider, by survey and region.',
  description:
    'Surveys cover providers of current accounts: `surveys` is empty for one that was not asked about. `cassParticipant` on /providers tells who has current accounts.',
  when: 'to tell how satisfied the customers of a bank are before recommending it.',
  scope: 'providers:read',
  price: perRequest(2),
  live: 'open',
  sampled: true,
  input: z.object({ slug: queryText().describe('Slug of the provider, as in /reference/providers.') }),
  output: z.object({
    provider: z
      .object({ slug: z.string().describe('Slug of the provider.'), name: z.string().describe('Display name.'), logoUrl })
      .describe('Whom the surveys are about.'),
    surveys: z.array(Survey).describe('The newest survey of each region, Great Britain before Northern Ireland.'),
  }),
  handle: ({ slug }, { market, publicUrl }) => {
    const provider = market.provider(slug)
    if (!provider) throw missingProvider(slug, market)
    return {
      provider: { slug, name: provider.name, logoUrl: absolute(provider.logoPath, publicUrl) },
      surveys: market.serviceQuality(slug).map(toSurvey),
    }
  },
})

import type { ServiceSurvey } from './service-survey.ts'
import type { SurveyRow } from './surveys.store.ts'

export function surveyFromDb(row: SurveyRow): ServiceSurvey {
  return {
    providerSlug: row.provider_slug,
    region: row.region,
    survey: row.survey,
    publisher: row.publisher,
    periodStart: row.period_start,
    periodEnd: row.period_end,
    publishedAt: row.published_at,
    nextPublication: row.next_publication,
    sampleSize: row.sample_size,
    providersRanked: row.providers_ranked,
    overall: row.overall,
    onlineAndMobile: row.online_and_mobile,
    overdraft: row.overdraft,
    branch: row.branch,
    methodologyUrl: row.methodology_url,
    accountOpeningDays: row.account_opening_days,
    debitCardReplacementDays: row.debit_card_replacement_days,
    majorIncidentsLastYear: row.major_incidents_last_year,
    updatedAt: row.updated_at,
  }
}

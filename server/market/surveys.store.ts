import type { PoolClient } from 'pg'
import type { Dataset } from './dataset.ts'
import { isoDay, isoTime } from './row-values.ts'
import type { SurveyRegion, SurveyScore } from './service-survey.ts'

/** Dates and times in ISO 8601. */
export type SurveyRow = {
  dataset: Dataset
  provider_slug: string
  region: SurveyRegion
  survey: string
  publisher: string
  period_start: string
  period_end: string
  published_at: string
  next_publication: string | null
  sample_size: number | null
  providers_ranked: number
  overall: SurveyScore | null
  online_and_mobile: SurveyScore | null
  overdraft: SurveyScore | null
  branch: SurveyScore | null
  methodology_url: string
  account_opening_days: number | null
  debit_card_replacement_days: number | null
  major_incidents_last_year: number | null
  updated_at: string
}

const surveysSql = `SELECT dataset, provider_slug, region, survey, publisher, ${isoDay('period_start')}, ${isoDay('period_end')}, ${isoDay('published_at')},
    ${isoDay('next_publication')}, sample_size, providers_ranked, overall, online_and_mobile, overdraft, branch, methodology_url,
    account_opening_days, debit_card_replacement_days, major_incidents_last_year, ${isoTime('updated_at')}
  FROM service_quality`

/** Reads the latest survey of every provider and region in the snapshot transaction. */
export async function readSurveys(client: PoolClient): Promise<SurveyRow[]> {
  return (await client.query<SurveyRow>(surveysSql)).rows
}

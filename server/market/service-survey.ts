export const surveyRegions = ['GB', 'NI'] as const

export type SurveyRegion = (typeof surveyRegions)[number]

export const surveyScores = ['overall', 'onlineAndMobile', 'overdraft', 'branch'] as const

/** Percentage who would recommend a service, and its rank among the scored providers. */
export type SurveyScore = {
  /** Percentage of respondents extremely or very likely to recommend it. */
  readonly percent: number
  readonly rank: number
  /** True if the rank is shared. */
  readonly jointRank: boolean
  readonly rankOf: number
}

/** Latest customer survey of a provider in one region. A score is null with fewer than 100 responses. ISO dates. */
export type ServiceSurvey = Readonly<Record<(typeof surveyScores)[number], SurveyScore | null>> & {
  readonly providerSlug: string
  readonly region: SurveyRegion
  readonly survey: string
  readonly publisher: string
  readonly periodStart: string
  readonly periodEnd: string
  readonly publishedAt: string
  readonly nextPublication: string | null
  readonly sampleSize: number | null
  readonly providersRanked: number
  readonly methodologyUrl: string
  readonly accountOpeningDays: number | null
  readonly debitCardReplacementDays: number | null
  readonly majorIncidentsLastYear: number | null
  readonly updatedAt: string
}

export const surveyRegions = ['GB', 'NI'] as const

export type SurveyRegion = (typeof surveyRegions)[number]

export const surveyScores = ['overall', 'onlineAndMobile', 'overdraft', 'branch'] as const

/** How many would recommend a service, and the place that this gives among the providers that were scored. */
export type SurveyScore = {
  /** Whole percent of those asked who are extremely or very likely to recommend it. */
  readonly percent: number
  readonly rank: number
  /** Whether others share the rank. */
  readonly jointRank: boolean
  readonly rankOf: number
}

/** The newest survey of how customers rate a provider in one region. A score is null where fewer than 100 answered. Days are ISO dates. */
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

import { type SurveyRegion, type SurveyScore, surveyRegions, surveyScores } from '../provider.ts'
import type { GeneratedProvider } from './generate-providers.ts'
import type { Random } from './random.ts'

type ScoreName = (typeof surveyScores)[number]
type Percents = Readonly<Record<ScoreName, number | null>>

/** Survey as a feed record. */
export type GeneratedSurvey = Readonly<Record<string, unknown>> & {
  readonly kind: 'service_quality'
  readonly providerSlug: string
  readonly region: SurveyRegion
}

/** Mean of each score in percent, and the maximum deviation from the mean. */
const scoreShapes: Readonly<Record<ScoreName, readonly [mean: number, reach: number]>> = {
  overall: [62, 20],
  onlineAndMobile: [68, 17],
  overdraft: [56, 18],
  branch: [58, 15],
}

/** Picks the scores of a bank. A bank without branches has no branch score, and one in four has too few overdraft customers for an overdraft score. */
function drawPercents(isBranchless: boolean, bias: number, random: Random): Percents {
  const drawn = surveyScores.map((name) => {
    const [mean, reach] = scoreShapes[name]
    return [name, Math.max(5, Math.min(95, random.around(mean + bias, reach)))] as const
  })
  const isUnscored = random.chance(25)
  const percents = Object.fromEntries(drawn) as Record<ScoreName, number>
  return { ...percents, overdraft: isUnscored ? null : percents.overdraft, branch: isBranchless ? null : percents.branch }
}

/** Ranks a percentage among those of all banks; equal percentages share a joint rank. Returns null for a bank without a score. */
function toScore(percent: number | null, all: readonly (number | null)[]): SurveyScore | null {
  if (percent === null) return null
  const scored = all.filter((one) => one !== null)
  const rank = scored.filter((one) => one > percent).length + 1
  return { percent, rank, jointRank: scored.filter((one) => one === percent).length > 1, rankOf: scored.length }
}

const sampleSizes: Readonly<Record<SurveyRegion, readonly [low: number, high: number]>> = { GB: [960, 1_040], NI: [480, 520] }

type Bank = { readonly slug: string; readonly isBranchless: boolean; readonly bias: number; readonly service: Readonly<Record<string, number | null>> }

function drawBank({ slug }: GeneratedProvider, random: Random): Bank {
  const service = {
    accountOpeningDays: random.pick([0, 1, 1, 2, 3, 5, null]),
    debitCardReplacementDays: random.pick([2, 3, 4, 5]),
    majorIncidentsLastYear: random.pick([0, 0, 1, 2, 4, 7]),
  }
  return { slug, isBranchless: random.chance(30), bias: random.around(0, 10), service }
}

function drawRegion(region: SurveyRegion, banks: readonly Bank[], word: string, random: Random): GeneratedSurvey[] {
  const drawn = banks.map((bank) => ({ bank, percents: drawPercents(bank.isBranchless, bank.bias, random) }))
  return drawn.map(({ bank, percents }) => {
    const scores = surveyScores.map(
      (name) =>
        [
          name,
          toScore(
            percents[name],
            drawn.map((one) => one.percents[name]),
          ),
        ] as const,
    )
    const [low, high] = sampleSizes[region]
    return {
      kind: 'service_quality',
      providerSlug: bank.slug,
      region,
      survey: `Independent service quality survey (invented for the ${word} market)`,
      publisher: 'Invented: no one was asked',
      periodStart: '2025-07-01',
      periodEnd: '2026-06-30',
      publishedAt: '2026-08-15',
      nextPublication: '2027-02-15',
      sampleSize: random.between(low, high),
      providersRanked: banks.length,
      ...Object.fromEntries(scores),
      methodologyUrl: 'https://service-quality-survey.example/method',
      ...bank.service,
    }
  })
}

/** Generates customer ratings of the banks with current accounts, GB then NI. Two banks in three are surveyed in Northern Ireland. */
export function generateServiceQuality(banks: readonly GeneratedProvider[], word: string, random: Random): GeneratedSurvey[] {
  const drawn = banks.map((bank) => drawBank(bank, random))
  const asked: Readonly<Record<SurveyRegion, readonly Bank[]>> = { GB: drawn, NI: drawn.filter((_, index) => index % 3 !== 2) }
  return surveyRegions.flatMap((region) => drawRegion(region, asked[region], word, random))
}

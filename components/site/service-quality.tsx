import { formatDay } from './formats.ts'

type Score = { readonly percent: number; readonly rank: number; readonly jointRank: boolean; readonly rankOf: number } | null

export type SurveyData = {
  readonly survey: string
  readonly publisher: string
  readonly region: 'GB' | 'NI'
  readonly periodStart: string
  readonly periodEnd: string
  readonly overall: Score
  readonly onlineAndMobile: Score
  readonly overdraft: Score
  readonly branch: Score
}

const regions = { GB: 'Great Britain', NI: 'Northern Ireland' } as const

/** `=2 of 17`: the survey's tables mark joint ranks with an equals sign. */
const rankText = ({ rank, jointRank, rankOf: of }: NonNullable<Score>) => `${jointRank ? '=' : ''}${rank} of ${of}`

function ScoreRow({ name, score }: { name: string; score: Score }) {
  const cell = 'py-2.5 pl-3 text-right tabular-nums'
  return (
    <tr className="border-b border-line">
      <th scope="row" className="py-2.5 text-left font-normal">
        {name}
      </th>
      <td className={cell}>{score === null ? 'Too few responses' : `${score.percent}%`}</td>
      <td className={cell}>{score === null ? '–' : rankText(score)}</td>
    </tr>
  )
}

/** Survey results of a provider in one region. */
export function ServiceQuality({ survey }: { survey: SurveyData }) {
  const head = 'py-2 text-note font-medium text-ink-2'
  return (
    <div className="min-w-0">
      <table className="w-full border-t border-line-strong">
        <caption className="pb-3 text-left text-h2 font-semibold">{regions[survey.region]}</caption>
        <thead>
          <tr className="border-b border-line-strong">
            <th scope="col" className={`${head} text-left`}>
              Would recommend
            </th>
            <th scope="col" className={`${head} pl-3 text-right`}>
              Customers
            </th>
            <th scope="col" className={`${head} pl-3 text-right`}>
              Rank
            </th>
          </tr>
        </thead>
        <tbody>
          <ScoreRow name="Overall service" score={survey.overall} />
          <ScoreRow name="Online and mobile" score={survey.onlineAndMobile} />
          <ScoreRow name="Overdraft" score={survey.overdraft} />
          <ScoreRow name="Branches" score={survey.branch} />
        </tbody>
      </table>
      <p className="mt-3 text-note text-ink-2">
        {survey.survey}, {survey.publisher}, {formatDay(survey.periodStart)} to {formatDay(survey.periodEnd)}.
      </p>
    </div>
  )
}
